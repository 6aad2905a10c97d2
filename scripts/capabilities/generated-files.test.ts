import { relative } from 'node:path'
import { expect, it } from 'vitest'
import { authEvents } from '../../packages/auth/src/auth-events.ts'
import { authContracts } from '../../packages/auth/src/contracts.ts'
import { authErrors } from '../../packages/auth/src/error-classes.ts'
import { generatedFiles, outdatedFiles } from './generated-files.ts'

it('finds what follows from the folders of sign-in as `npm run generate -w @svc/auth` writes it', () => {
  expect(generatedFiles()).not.toEqual([])
  expect(outdatedFiles().map(({ path }) => relative('.', path))).toEqual([])
})

it('has every event and error that a contract names among those that users import', () => {
  const named = authContracts.flatMap(({ errors, events }) => [...errors, ...Object.values(events)])
  const known: unknown[] = [...authErrors, ...Object.values(authEvents)]
  expect(named.filter((each) => !known.includes(each))).toEqual([])
})
