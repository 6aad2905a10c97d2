import { authApi } from '@svc/auth'
import { useEffect, useRef, useState } from 'react'
import { useAction } from './use-action.ts'
import { type ApprovedDevice, deviceDecision } from './use-device-approval.ts'

/** What a browser shows while it waits for another device to approve it. */
export interface LinkCode {
  readonly userCode: string
  /** By this the approver recognises this browser's key. */
  readonly fingerprintPrefix: string
  /** For a countdown. Only the API decides whether the code has expired. */
  readonly expiresAtMillis: number
  readonly intervalMillis: number
}

interface Options {
  /** The user has approved this browser, and it is signed in. */
  onApproved: (result: ApprovedDevice) => void
  api?: Pick<typeof authApi, 'startDeviceAuth' | 'pollDeviceAuth'>
}

/**
 * How long the API may wait for a decision before it answers. It answers at once when there is one.
 */
const waitMillis = 20_000

/**
 * Signs in with another device, on which the user types the code in. The code is shown at once, and
 * stays the same when the page is reloaded. `starting` shows another one once it has expired.
 * `ending` is what ended the wait without an approval, or null: `DeviceAuthDeniedError`,
 * `DeviceAuthExpiredError`, or another refusal.
 */
export function useDeviceLink({ onApproved, api = authApi }: Options) {
  const [code, setCode] = useState<LinkCode | null>(null)
  const [ending, setEnding] = useState<unknown>(null)
  const starting = useAction(async () => {
    const shown = await api.startDeviceAuth.call({ body: {} })
    setEnding(null)
    setCode(shown)
  })
  const { run: start } = starting
  useEffect(() => void start(), [start])

  const approved = useRef(onApproved)
  approved.current = onApproved
  useEffect(() => {
    if (!code) return undefined
    const leaving = new AbortController()
    const { signal } = leaving
    const ask = () => api.pollDeviceAuth.call({ body: { waitMillis } }, { signal })
    deviceDecision(ask, { intervalMillis: code.intervalMillis, signal }).then(
      (result) => result && approved.current(result),
      (error: unknown) => signal.aborted || setEnding(error),
    )
    return () => leaving.abort()
  }, [code, api])

  return { code, starting, ending }
}
