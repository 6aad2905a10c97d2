import type { Approval } from '@svc/auth'
import { expect, it } from 'vitest'
import { english as say } from '../words/say.ts'
import { countOfCalls, namedFirst, textOfValue } from './approvals.tsx'

it('the call that the address names stands above the others, which keep their order', () => {
  const waiting = ['a', 'b', 'c'].map((approvalId) => ({ approvalId }) as Approval)
  const order = (approvalId: string) =>
    namedFirst(waiting, approvalId).map((each) => each.approvalId)
  expect(order('b')).toEqual(['b', 'a', 'c'])
  expect(order('')).toEqual(['a', 'b', 'c'])
})

it('a value is shown whole: text as it is, and all else as JSON', () => {
  expect(textOfValue('5\n"six"')).toBe('5\n"six"')
  expect([5, true, null].map(textOfValue)).toEqual(['5', 'true', 'null'])
  expect(textOfValue({ to: ['ada'] })).toBe('{\n  "to": [\n    "ada"\n  ]\n}')
})

it('calls are counted', () => {
  expect([0, 1, 2].map((count) => countOfCalls(say, count))).toEqual([
    'Nothing waits for you',
    '1 call waits for you',
    '2 calls wait for you',
  ])
})
