import { ReservedUsernameError, UsernameAlreadyTakenError } from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import { failureWords } from '../ui/failure-words.ts'

/** Why a username was not taken, or nothing where something else failed. */
export function usernameFailure(error: unknown) {
  if (error instanceof UsernameAlreadyTakenError)
    return 'This username is taken. Choose another one.'
  if (error instanceof ReservedUsernameError)
    return 'This username is reserved. Choose another one.'
  if (error instanceof ValidationError) {
    return error.fields.find(({ path }) => path === 'body.username')?.message ?? ''
  }
  return ''
}

const names: Record<string, string> = {
  'body.displayName': 'Name',
  'body.bio': 'About you',
  'body.locale': 'Language',
  'body.timezone': 'Time zone',
}

/** What a person can do about a profile that was not saved. */
export function profileFailure(error: unknown) {
  if (usernameFailure(error)) return 'Nothing was saved. Choose another username.'
  if (!(error instanceof ValidationError)) return failureWords(error)
  return error.fields.map(({ path, message }) => `${names[path] ?? path}: ${message}`).join(' ')
}
