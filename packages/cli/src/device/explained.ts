import { CommandFailure, isRefusal, type Refusal } from '../failure.ts'
import { printable } from '../terminal.ts'
import type { Device } from './device-of.ts'

/** What a user can put right, instead of a stack. */
export async function explained<Answer>(
  device: Device,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    const { name } = error as Error
    if (name === 'DeviceKeyError') {
      throw new CommandFailure((error as Error).message, { cause: error })
    }
    if (!isRefusal(error)) throw error
    // An API says what it likes, and the terminal must not be steered by it.
    throw new CommandFailure(printable(explain(device, error)), { cause: error })
  }
}

function explain(device: Device, { name, message, status, requestId, fields = [] }: Refusal) {
  const { baseUrl } = device.key
  if (name === 'ApiUnreachableError') {
    return `No API answers at ${baseUrl}: start it, or give its address with --api.`
  }
  const id = requestId ? `, request ${requestId}` : ''
  return [
    `${message} (${status} ${name}${id})`,
    ...fields.map((field) => `  ${field.path}: ${field.message}`),
    ...(status === 401 ? [signedOut(device)] : []),
  ].join('\n')
}

export function signedOut({ key: { baseUrl } }: Device) {
  return `This computer is not signed in to ${baseUrl}: run "npx @svc/cli login".`
}
