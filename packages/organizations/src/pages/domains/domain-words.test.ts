import { english, type Say } from '@svc/web/account'
import { describe, expect, it } from 'vitest'
import { OrganizationDomainUnprovedError } from '../../membership/errors.ts'
import type { OrganizationSentence } from '../words/organization-words.ts'
import { stateOf, unprovedWords } from './domain-words.ts'

const now = Date.parse('2026-03-02T09:41:00Z')
const earlier = '2026-03-01T09:41:00.000Z'
const later = '2026-03-03T09:41:00.000Z'

describe('stateOf', () => {
  it('waits for the record until a domain is proved', () => {
    expect(stateOf({}, now)).toBe('waiting')
    expect(stateOf({ verifiedAt: earlier, lastCheckedAt: earlier }, now)).toBe('proved')
  })

  it('says that the record is missing while the proof has not ended', () => {
    const missing = { verifiedAt: earlier, lastCheckedAt: earlier, endsAt: later }
    expect(stateOf(missing, now)).toBe('missing')
  })

  it('says that a proof has ended, also before the server has noted that', () => {
    expect(stateOf({ lastCheckedAt: earlier }, now)).toBe('ended')
    const late = { verifiedAt: earlier, lastCheckedAt: earlier, endsAt: earlier }
    expect(stateOf(late, now)).toBe('ended')
  })
})

describe('unprovedWords', () => {
  // Without words of a language, a sentence is said as it is, of each page.
  const say = english as unknown as Say<OrganizationSentence>
  const lookedUp = '_svc-challenge.acme.example'
  const told = (failure: string, found: string[] = []) =>
    unprovedWords(
      say,
      new OrganizationDomainUnprovedError({ failure: failure as 'missing', lookedUp, found }),
    )

  it('says which record was looked for, and that DNS may take an hour', () => {
    expect(told('missing')).toContain(`no TXT record at ${lookedUp} yet`)
    expect(told('missing')).toContain('an hour')
    expect(told('no-answer')).toContain(`name servers of ${lookedUp}`)
  })

  it('says what is there instead', () => {
    const other = told('different', ['v=spf1 -all', 'x'])
    expect(other).toContain(lookedUp)
    expect(other).toContain('Found: “v=spf1 -all”, “x”.')
  })

  it('takes a failure of a later server for a record that is missing', () => {
    expect(told('toString')).toBe(told('missing'))
  })
})
