import { expect, it } from 'vitest'
import { organizationActs } from '../../membership/membership.ts'
import { actWords, wordsIn } from './act-words.ts'

it('every act of an organization is said in words, and no other', () => {
  expect(Object.keys(actWords)).toEqual([...organizationActs])
  expect(wordsIn(actWords, 'organization.created')).toBe('Organization created')
  for (const foreign of ['order.refunded', 'toString'])
    expect(wordsIn(actWords, foreign)).toBeNull()
})
