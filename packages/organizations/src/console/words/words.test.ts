import { expect, it } from 'vitest'
import { consoleWords } from './console-words.ts'
import { koreanWords } from './korean-words.ts'

const { fromApi: _, ...words } = koreanWords
// Forms of a plural are objects.
const textOf = (said: unknown) => JSON.stringify(said)

it('Korean has each sentence of the operators’ pages, with its values, and no other one', () => {
  expect(Object.keys(words).toSorted()).toEqual([...consoleWords].toSorted())
  const marks = (text: string) => text.match(/\{\w+\}/g)?.toSorted()
  for (const [sentence, said] of Object.entries(words)) {
    expect(marks(textOf(said)), sentence).toEqual(marks(sentence))
    expect(textOf(said), sentence).toMatch(/\p{Script=Hangul}/u)
  }
})
