import { ReservedUsernameError, UsernameAlreadyTakenError } from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import { failureWords } from '../failures/failure-words.ts'
import type { AccountSentence } from '../words/account-words.ts'
import type { Say } from '../words/say.ts'

/** Why a username was not taken, or nothing where something else failed. */
export function usernameFailure(say: Say, error: unknown) {
  if (error instanceof UsernameAlreadyTakenError)
    return say('This username is taken. Choose another one.')
  if (error instanceof ReservedUsernameError)
    return say('This username is reserved. Choose another one.')
  if (error instanceof ValidationError) {
    return error.fields.find(({ path }) => path === 'body.username')?.message ?? ''
  }
  return ''
}

const names: Record<string, AccountSentence> = {
  'body.displayName': 'Name',
  'body.bio': 'About you',
  'body.locale': 'Language',
  'body.timezone': 'Time zone',
}

function fieldName(say: Say, path: string) {
  const name = names[path]
  return name ? say(name) : path
}

/** What a person can do about a profile that was not saved. */
export function profileFailure(say: Say, error: unknown) {
  if (usernameFailure(say, error)) return say('Nothing was saved. Choose another username.')
  if (!(error instanceof ValidationError)) return failureWords(say, error)
  return error.fields.map(({ path, message }) => `${fieldName(say, path)}: ${message}`).join(' ')
}
