import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { actWords, wordsOfAct } from './act-words.ts'

const reference = new URL('../../../../../docs/reference/auth.md', import.meta.url)

/** A test of `@svc/auth` holds this table to the acts that are written. */
function writtenActs() {
  const [, trail = ''] = readFileSync(reference, 'utf8').split('\n## The audit trail\n')
  const [table = ''] = trail.split('\n- `outcome` is ')
  return [...table.matchAll(/^\| `([a-z0-9_.]+)` \|/gm)].map(([, act = '']) => act)
}

it('every act of the trail is said in words, and no other', () => {
  expect(Object.keys(actWords).toSorted()).toEqual(writtenActs().toSorted())
  expect(wordsOfAct('account.suspended')).toBe('User suspended')
  for (const foreign of ['order.refunded', 'toString']) expect(wordsOfAct(foreign)).toBeNull()
})
