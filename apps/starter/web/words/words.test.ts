import { describe, expect, it } from 'vitest'
import { korean } from './korean.ts'
import { english, fill } from './words.ts'

/** Every sentence, by its place. */
function sentencesOf(words: object, place = ''): [string, string][] {
  return Object.entries(words).flatMap(([name, found]) =>
    typeof found === 'string'
      ? [[`${place}${name}`, found]]
      : sentencesOf(found, `${place}${name}.`),
  )
}

const namesIn = (sentence = '') => sentence.match(/\{\w+\}/g)?.toSorted() ?? []

describe('the words in Korean', () => {
  const inEnglish = new Map(sentencesOf(english))

  it.each(sentencesOf(korean))(
    'have the values of the English ones, and no English: %s',
    (place, sentence) => {
      expect(namesIn(sentence)).toEqual(namesIn(inEnglish.get(place)))
      expect(sentence).toMatch(/\p{Script=Hangul}/u)
      expect(sentence.replaceAll(/\{\w+\}|\bAPI|Svc|HTTP|SSE|WebSocket/g, '')).not.toMatch(/[a-z]/i)
    },
  )
})

it('fill puts values into a sentence', () => {
  expect(fill('page {page} of {pages}', { page: 2, pages: 3 })).toBe('page 2 of 3')
})
