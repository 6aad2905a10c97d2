import { expect, it } from 'vitest'
import { english as say } from '../words/say.ts'
import { budgetWords, toolWords } from './agent-description.tsx'

it('a tool that the agent can’t call says which permission it needs', () => {
  const tool = { name: 'endOrder', title: 'End an order', needs: ['order:write', 'order:read'] }
  expect(toolWords(say, { ...tool, does: 'deletes', isAllowed: true })).toBe('End an order')
  expect(toolWords(say, { ...tool, does: 'deletes', isAllowed: false })).toBe(
    'End an order · not allowed: it needs order:write, order:read',
  )
})

it('a budget names its window', () => {
  const use = { limit: 5000, used: 1200 }
  const words = [60_000, 86_400_000, 7_200_000, 500].map((windowMillis) =>
    budgetWords(say, { ...use, of: 'calls', windowMillis }),
  )
  expect(words).toEqual([
    '1,200 of 5,000 requests in 1 minute',
    '1,200 of 5,000 requests in 1 day',
    '1,200 of 5,000 requests in 2 hours',
    '1,200 of 5,000 requests in 0.5 seconds',
  ])
  expect(budgetWords(say, { ...use, of: 'rows', windowMillis: 60_000 })).toBe(
    '1,200 of 5,000 rows in 1 minute',
  )
})
