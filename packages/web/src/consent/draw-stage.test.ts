import { describe, expect, it } from 'vitest'
import { testSecret } from '../test-browser.ts'
import { createOAuth2ConsentPage, type OAuth2ConsentPageOptions } from './consent.ts'
import type { ConsentStage } from './consent-stage.ts'
import { drawReturn, drawStage, drawUnavailable } from './draw-stage.ts'
import { wordsIn } from './page-words.ts'

const facts = {
  clientName: '🤖',
  clientHost: '⌂',
  redirectHost: '127.0.0.1:7777',
  scopes: [{ name: 'read', description: '📖' }],
  resource: '🗄',
  account: '🙂',
  owners: [],
  hiddenFields: '',
}
const owner = { id: '1', name: '🏢' }
const apps = { ...facts, redirectHost: 'app:' }
const asked = { ...facts, hasPassword: false, codeTarget: null, isCodeSent: false }
const toSend = { ...asked, codeTarget: '📬' }

const stages: ConsentStage[] = [
  { ...facts, name: 'consent', isOnceMore: true },
  { ...apps, name: 'consent', isOnceMore: false },
  { ...facts, owners: [owner], name: 'consent', isOnceMore: false },
  { ...facts, owners: [owner], owner, name: 'step-up' },
  { ...facts, name: 'step-up', problem: 'wrong' },
  { ...facts, name: 'step-up', problem: 'too many' },
  { ...facts, name: 'step-up', problem: 'no code' },
  { ...asked, name: 'proof', problem: 'too many' },
  { ...asked, name: 'proof', hasPassword: true, problem: 'wrong password' },
  { ...toSend, name: 'proof' },
  { ...toSend, name: 'proof', isCodeSent: true, problem: 'wrong code' },
  { name: 'invalid', description: '…' },
]

/** What a reader sees of a page, without the addresses that stand in `code`. */
const readable = (page: string) =>
  page.replaceAll(/<(style|code)>.*?<\/\1>/gs, '').replaceAll(/<[^>]*>/g, '')

describe('the pages of a consent', () => {
  const korean = wordsIn(['ko'])
  const pages = [
    ...stages.map((stage) => drawStage(stage, korean)),
    drawReturn('https://agent.example.com/', korean),
    drawUnavailable('client_id=agent', korean),
  ]

  it.each(pages)('have no English sentence in Korean', (page) => {
    expect(readable(page)).not.toMatch(/[a-z]/i)
    expect(readable(page)).toMatch(/\p{Script=Hangul}/u)
  })

  it('have Korean titles', () => {
    expect(Object.values(korean.titles).join(' ')).not.toMatch(/[a-z]/i)
  })

  it('are in English for a language that there are no words for', () => {
    expect(wordsIn(['fr']).lang).toBe('en')
  })
})

describe('while no user is signed in', () => {
  async function expired(options: OAuth2ConsentPageOptions = {}) {
    const { GET } = createOAuth2ConsentPage({
      ...options,
      env: { SVC_AUTH_SESSION_SECRET: testSecret },
    })
    const headers = { 'accept-language': 'ko-KR,en;q=0.5' }
    const answer = await GET(
      new Request('https://web.test/oauth2/consent?request=none', { headers }),
    )
    return answer.text()
  }

  it('the page is in the language of the browser', async () => {
    expect(await expired()).toContain('<html lang="ko">')
    expect(await expired()).toContain('만료되었습니다.')
  })

  it('what the application draws stands in an English page', async () => {
    const own = await expired({ render: () => '<p>Mine</p>' })
    expect(own).toContain('<html lang="en">')
    expect(own).toContain('<title>Request does not work</title>')
  })
})
