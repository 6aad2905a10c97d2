import { expect, it } from 'vitest'
import { permissionsOf } from '../../membership/membership.ts'
import { koreanWords } from './korean-words.ts'
import { missingWords, organizationWords } from './organization-words.ts'

const { fromApi = {}, ...words } = koreanWords
// Forms of a plural are objects.
const textOf = (said: unknown) => JSON.stringify(said)

it('Korean lacks no sentence of the pages, and has none that they do not have', () => {
  expect(missingWords(koreanWords)).toEqual([])
  expect(Object.keys(words).toSorted()).toEqual([...organizationWords].toSorted())
})

it('says exactly which sentences a language lacks', () => {
  const { Leave: _one, 'Open again': _other, ...most } = koreanWords
  expect(missingWords(most).toSorted()).toEqual(['Leave', 'Open again'])
})

it('Korean has the values of each sentence, and is in Korean', () => {
  const marks = (text: string) => text.match(/\{\w+\}/g)?.toSorted()
  for (const [sentence, said] of Object.entries(words)) {
    expect(marks(textOf(said)), sentence).toEqual(marks(sentence))
  }
  const all = Object.values({ ...words, ...fromApi })
  expect(all.filter((said) => !/\p{Script=Hangul}/u.test(textOf(said)))).toEqual([])
})

it('the roles and permissions that every organization has are named in Korean', () => {
  const { all } = permissionsOf([], {})
  const names = ['Owner', 'Admin', 'Member', ...all.map(({ displayName }) => displayName)]
  expect(names.filter((name) => !Object.hasOwn(fromApi, name))).toEqual([])
})
