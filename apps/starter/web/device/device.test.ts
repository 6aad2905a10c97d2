import {
  AccountDisabledError,
  DeviceAuthAlreadyHandledError,
  DeviceAuthDeniedError,
  DeviceAuthExpiredError,
  DeviceAuthNotFoundError,
  StepUpRequiredError,
} from '@svc/auth'
import { ServiceUnavailableError, TooManyRequestsError, UnauthorizedError } from '@svc/core/client'
import { describe, expect, it } from 'vitest'
import { approvalFailure } from './approval-failure.ts'
import { linkEnding } from './link-ending.ts'
import { minutesAndSeconds } from './minutes-and-seconds.ts'
import { platformWords } from './platform-words.ts'

describe('a device that waits no more', () => {
  it('says why', () => {
    expect(linkEnding(new DeviceAuthDeniedError()).title).toBe('The sign-in was denied')
    for (const error of [
      new DeviceAuthExpiredError(),
      new DeviceAuthNotFoundError(),
      new UnauthorizedError(),
    ]) {
      expect(linkEnding(error).title).toBe('This code no longer works')
    }
    expect(linkEnding(new AccountDisabledError()).advice).toContain('suspended')
    expect(linkEnding(new ServiceUnavailableError()).advice).toContain('does not answer')
  })
})

describe('a code that was not taken', () => {
  it('is told in words: decided, over, unknown or taken up by somebody else, and to be proved once more', () => {
    expect(approvalFailure(new DeviceAuthAlreadyHandledError())).toContain(
      'already approved or denied',
    )
    expect(approvalFailure(new DeviceAuthExpiredError())).toContain('This code has expired')
    expect(approvalFailure(new DeviceAuthNotFoundError())).toContain('No device is waiting')
    expect(approvalFailure(new StepUpRequiredError())).toContain('second step')
    expect(approvalFailure(new TooManyRequestsError({ retryAfter: 9 }))).toContain('9 seconds')
  })
})

it('the time that is left is never less than none', () => {
  expect([600_000, 599_001, 5000, 1, 0, -7000].map(minutesAndSeconds)).toEqual([
    '10:00',
    '10:00',
    '0:05',
    '0:01',
    '0:00',
    '0:00',
  ])
})

it('says what a device runs on, as far as it is known', () => {
  expect(platformWords('web')).toBe('Web browser')
  expect(platformWords(undefined)).toBe('Unknown')
})
