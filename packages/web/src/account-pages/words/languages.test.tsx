import { readdirSync } from 'node:fs'
import { renderToReadableStream } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import {
  AccountProvider,
  type AccountProviderProps,
  useSay,
} from '../provider/account-provider.tsx'
import { type AccountWords, accountWords, missingWords } from './account-words.ts'
import { koreanWords } from './korean-words.ts'

// Each language is one file, and is held to the same rules as soon as it is here.
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('-words.ts') && file !== 'account-words.ts')
  .map((file) => file.replace('-words.ts', ''))
const languages = await Promise.all(
  names.map(async (name) => {
    const module: Record<string, AccountWords> = await import(`./${name}-words.ts`)
    const [words] = Object.values(module)
    if (!words) throw new Error(`${name}-words.ts has no words.`)
    return [name, words] as const
  }),
)

it('each file of a language is read', () => {
  expect(languages).toContainEqual(['korean', koreanWords])
})

describe.each(languages)('the words of %s', (_, { fromApi: _texts, ...words }) => {
  const sentences = Object.entries(words).flatMap(([sentence, said]) =>
    typeof said === 'string'
      ? [[sentence, said] as const]
      : Object.values(said).map((form) => [sentence, form] as const),
  )

  it('lack no sentence of the pages', () => {
    expect(missingWords(words)).toEqual([])
  })

  it('are for sentences that the pages have', () => {
    const known = new Set<string>(accountWords)
    expect(Object.keys(words).filter((sentence) => !known.has(sentence))).toEqual([])
  })

  it('have the values and elements of the English sentence', () => {
    const marks = (text: string) => text.match(/\{\w+\}|<\/\w+>/g)?.toSorted()
    for (const [sentence, said] of sentences) expect(marks(said), sentence).toEqual(marks(sentence))
  })
})

it('Korean is in Korean, each sentence of it', () => {
  const { fromApi = {}, ...words } = koreanWords
  const said = Object.values({ ...words, ...fromApi })
  const foreign = said.filter((each) => !/\p{Script=Hangul}/u.test(JSON.stringify(each)))
  expect(foreign).toEqual(['Android', 'UTC', 'XXXX-XXXX'])
})

it('says exactly which sentences a language lacks', () => {
  const { Devices: _one, 'Sign in': _other, ...most } = koreanWords
  expect(missingWords(most)).toEqual(['Devices', 'Sign in'])
  expect(missingWords({})).toEqual(accountWords)
})

describe('a page in a language', () => {
  function Name() {
    const say = useSay()
    return (
      <p lang={say.locale}>
        {say('Devices')} {say('Security')}
      </p>
    )
  }

  async function drawn(given: Omit<AccountProviderProps, 'children'>) {
    const stream = await renderToReadableStream(
      <AccountProvider {...given}>
        <Name />
      </AccountProvider>,
    )
    return (await new Response(stream).text()).replaceAll('<!-- -->', '')
  }

  const asked: string[] = []
  const languagesOfApp = {
    ko: async () => {
      asked.push('ko')
      return { Devices: '기기' }
    },
    de: async () => {
      asked.push('de')
      return { Devices: 'Geräte' }
    },
  }

  it('loads its words, of no other language, and once', async () => {
    const given = { locale: 'ko', languages: languagesOfApp }
    expect(await drawn(given)).toBe('<p lang="ko">기기 Security</p>')
    expect(await drawn(given)).toBe('<p lang="ko">기기 Security</p>')
    expect(asked).toEqual(['ko'])
  })

  it('is in English without words for it, or where they can’t be loaded', async () => {
    const broken = { ko: () => Promise.reject(new Error('The connection was lost.')) }
    expect(await drawn({ locale: 'fr', languages: languagesOfApp })).toContain('>Devices Security<')
    expect(await drawn({ locale: 'ko', languages: broken })).toContain('>Devices Security<')
  })
})
