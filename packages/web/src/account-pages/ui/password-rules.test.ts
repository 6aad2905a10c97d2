import { WeakPasswordError } from '@svc/auth'
import { expect, it } from 'vitest'
import { english as say } from '../words/say.ts'
import { weakPasswordWords } from './set-password.tsx'

it('says every reason in a sentence', () => {
  const error = new WeakPasswordError({ reasons: ['too_short', 'common'] })
  expect(weakPasswordWords(say, error)).toBe(
    'It has fewer than 8 characters. It is too easy to guess. Choose another one.',
  )
})

it('says something of a reason that it does not know', () => {
  const reasons = ['in_the_future'] as unknown as WeakPasswordError['reasons']
  expect(weakPasswordWords(say, { reasons })).toBe('It is not safe enough. Choose another one.')
})
