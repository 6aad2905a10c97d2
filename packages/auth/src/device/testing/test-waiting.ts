import { eq } from 'drizzle-orm'
import { createTestKey, type TestAnswer, type TestAuth, type TestKey } from '../../testing.ts'
import { deviceRequests } from '../schema.ts'

/** A device that shows a code. */
export interface TestDevice {
  readonly key: TestKey
  readonly deviceCode: string
  readonly userCode: string
  readonly expiresAtMillis: number
  readonly intervalMillis: number
}

type By = Pick<Awaited<ReturnType<TestAuth['signedInUser']>>, 'key'>
type Code = Pick<TestDevice, 'userCode'>

/** What a device without a keyboard asks, and what the user who reads its code does. */
export function waitingDevices({ call, auth }: Pick<TestAuth, 'call' | 'auth'>) {
  async function start(given: object = {}): Promise<TestDevice> {
    const key = await createTestKey()
    const { status, body } = await call('startDeviceAuth', { ...key.registration, ...given })
    if (status !== 200) throw new Error(JSON.stringify(body))
    return { key, ...body }
  }
  const info = ({ userCode }: Code, by: By) => call('getDeviceAuthInfo', { userCode }, by.key)
  const approve = ({ userCode }: Code, by: By) => call('approveDeviceAuth', { userCode }, by.key)
  const deny = ({ userCode }: Code, by: By) => call('denyDeviceAuth', { userCode }, by.key)
  const poll = ({ deviceCode }: Pick<TestDevice, 'deviceCode'>, waitMillis?: number) =>
    call('pollDeviceAuth', { deviceCode, ...(waitMillis !== undefined && { waitMillis }) })

  async function approvedBy(user: By) {
    const device = await start()
    const { status, body } = await approve(device, user)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return device
  }

  async function rowOf({ userCode }: Code) {
    const rows = auth.db.select().from(deviceRequests)
    const [row] = await rows.where(eq(deviceRequests.userCode, userCode))
    if (!row) throw new Error(`${userCode} is in no row.`)
    return row
  }

  return { start, info, approve, deny, poll, approvedBy, rowOf }
}

/** All that an answer says but the id of its request, which no two share. */
export function said({ status, body, headers }: TestAnswer) {
  const text = JSON.stringify(body).replaceAll(headers.get('x-request-id') ?? '-', '')
  return `${status} ${text}`
}

/** The class of a refusal with its status. */
export function refusal({ status, body }: TestAnswer) {
  return `${status} ${body.error.code}`
}

export const unknown = '404 DeviceAuthNotFoundError'
export const handled = '409 DeviceAuthAlreadyHandledError'
export const denied = '403 DeviceAuthDeniedError'
export const expired = '400 DeviceAuthExpiredError'
