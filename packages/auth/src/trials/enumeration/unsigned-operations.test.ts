import { expect, it } from 'vitest'
import { namingAnAccount, subjects, unsignedOperations } from './unsigned-operations.ts'

it('says of every operation without a signature whether it is asked about an account', () => {
  expect(Object.keys(subjects).toSorted()).toEqual(unsignedOperations().toSorted())
  const ofAccount = Object.entries(subjects).filter(([, subject]) => subject === 'account')
  expect(namingAnAccount().toSorted()).toEqual(ofAccount.map(([name]) => name).toSorted())
})
