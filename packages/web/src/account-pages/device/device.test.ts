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
import { english as say } from '../words/say.ts'
import { approvalFailure, platformWords } from './approval.tsx'
import { minutesAndSeconds } from './device-facts.tsx'
import { linkEnding } from './link-device.tsx'

describe('a device that no longer waits', () => {
  it('says why', () => {
    expect(linkEnding(say, new DeviceAuthDeniedError()).title).toBe('The sign-in was denied')
    for (const error of [
      new DeviceAuthExpiredError(),
      new DeviceAuthNotFoundError(),
      new UnauthorizedError(),
    ]) {
      expect(linkEnding(say, error).title).toBe('This code no longer works')
    }
    expect(linkEnding(say, new AccountDisabledError()).advice).toContain('suspended')
    expect(linkEnding(say, new ServiceUnavailableError()).advice).toContain('does not answer')
  })
})

describe('a code that was not taken', () => {
  it('is told in words: decided, over, unknown or taken up by another device, and to be proved once more', () => {
    expect(approvalFailure(say, new DeviceAuthAlreadyHandledError())).toContain(
      'already approved or denied',
    )
    expect(approvalFailure(say, new DeviceAuthExpiredError())).toContain('This code has expired')
    expect(approvalFailure(say, new DeviceAuthNotFoundError())).toContain('No device is waiting')
    expect(approvalFailure(say, new StepUpRequiredError())).toContain('second step')
    expect(approvalFailure(say, new TooManyRequestsError({ retryAfter: 9 }))).toContain('9 seconds')
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
  expect(platformWords(say, 'web')).toBe('Web browser')
  expect(platformWords(say, undefined)).toBe('Unknown')
})
