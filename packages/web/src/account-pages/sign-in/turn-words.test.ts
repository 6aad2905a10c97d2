import { expect, it } from 'vitest'
import { english as say } from '../words/say.ts'
import { turnWords } from './sign-in-ways.tsx'

it('says how long it takes until it is this person’s turn, in steps that can be read out', () => {
  expect(turnWords(say, 12_300)).toContain('in about 15 seconds')
  expect(turnWords(say, 10_100)).toContain('in about 15 seconds')
  expect(turnWords(say, 10_000)).toContain('in about 10 seconds')
  expect(turnWords(say, 4000)).toContain('in a moment')
  expect(turnWords(say, -3000)).toContain('in a moment')
  expect(turnWords(say, 100_000)).toContain('in about 2 minutes')
})
