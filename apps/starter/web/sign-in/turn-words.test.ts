import { expect, it } from 'vitest'
import { turnWords } from './turn-words.ts'

it('says how long it takes until it is this person’s turn, in steps that can be read out', () => {
  expect(turnWords(12_300)).toContain('in about 15 seconds')
  expect(turnWords(10_100)).toContain('in about 15 seconds')
  expect(turnWords(10_000)).toContain('in about 10 seconds')
  expect(turnWords(4000)).toContain('in a moment')
  expect(turnWords(-3000)).toContain('in a moment')
  expect(turnWords(100_000)).toContain('in about 2 minutes')
})
