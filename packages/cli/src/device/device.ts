import { hostname } from 'node:os'
import type { TerminalAccount, TerminalCode } from '@svc/core'
import type { Application } from '../application/application.ts'
import type { Flags } from '../flags.ts'
import { jsonText, paint, printable } from '../terminal.ts'
import { type Device, deviceOf } from './device-of.ts'
import { explained, signedOut } from './explained.ts'

export { type Device, deviceOf } from './device-of.ts'
export { explained } from './explained.ts'

/** Makes this computer a device of an account: another device of the account lets it in. */
export async function login({ definition }: Application, flags: Flags) {
  const device = deviceOf(definition, flags)
  const { terminal, key } = device
  const known = await explained(device, () => terminal.account(key))
  if (known) {
    console.log(
      `You are signed in already, as ${told(known)}. "svc logout" signs this computer out.`,
    )
    return 0
  }
  const account = await explained(device, () =>
    terminal.signIn({
      ...key,
      deviceName: `svc on ${hostname()}`.slice(0, 64),
      onCode: (code) => console.log(asked(device, code)),
    }),
  )
  console.log(`${paint('green', 'Signed in')} as ${told(account)}.`)
  return 0
}

/** Ends the key of this computer. */
export async function logout({ definition }: Application, flags: Flags) {
  const device = deviceOf(definition, flags)
  const { terminal, key } = device
  const known = await explained(device, () => terminal.account(key))
  await explained(device, () => terminal.signOut(key))
  console.log(known ? `Signed out ${known.name}.` : 'This computer was not signed in.')
  return 0
}

/** Says whose key this computer has. Exits 1 when it is signed out. */
export async function whoami({ definition }: Application, flags: Flags) {
  const device = deviceOf(definition, flags)
  const { terminal, key } = device
  const account = await explained(device, () => terminal.account(key))
  if (flags.output === 'json') console.log(jsonText(account))
  else console.log(account ? `${told(account)} at ${key.baseUrl}` : signedOut(device))
  return account ? 0 : 1
}

function told({ name, roles }: TerminalAccount) {
  return printable(`${name} (${roles.join(', ')})`)
}

function asked({ appUrl }: Device, { userCode, fingerprintPrefix, expiresAtMillis }: TerminalCode) {
  const minutes = Math.round((expiresAtMillis - Date.now()) / 60_000)
  return [
    `Open ${paint('bold', `${appUrl.replace(/\/$/, '')}/device`)} where you are signed in, and type this code:`,
    '',
    `  ${paint('bold', userCode)}`,
    '',
    `The page then shows a device whose key begins with ${fingerprintPrefix}. The code expires in ${minutes} minutes.`,
  ].join('\n')
}
