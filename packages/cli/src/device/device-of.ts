import { join } from 'node:path'
import type { ServerDefinition, TerminalDevice, TerminalKey } from '@svc/core'
import { defineEnv, webAddress } from '@svc/core/env'
import { configFolder, givenEnvironment } from '../env.ts'
import { CommandFailure } from '../failure.ts'
import type { Flags } from '../flags.ts'

/** This computer as a device of an account, at one API. */
export interface Device {
  terminal: TerminalDevice
  key: TerminalKey
  /** Where browsers find the web app. */
  appUrl: string
}

const readAddresses = defineEnv({
  NEXT_PUBLIC_SVC_APP_URL: webAddress,
  SVC_APP_URL: webAddress,
  NEXT_PUBLIC_SVC_API_URL: webAddress,
  SVC_API_URL: webAddress,
})

/** The flags win over the variables, and those over where `svc dev` and `svc start` run it. */
export function deviceOf({ settings }: ServerDefinition, flags: Flags): Device {
  const terminal = settings.lifecycles.find(({ terminal: has }) => has)?.terminal
  if (!terminal) {
    throw new CommandFailure(
      'This application has no accounts: add .lifecycle(createAuthLifecycle()) of @svc/auth/server to its server definition.',
    )
  }
  const variables = readAddresses(givenEnvironment())
  const baseUrl =
    flags.api ??
    variables.NEXT_PUBLIC_SVC_API_URL ??
    variables.SVC_API_URL ??
    'http://localhost:8790'
  const appUrl =
    flags.app ??
    variables.NEXT_PUBLIC_SVC_APP_URL ??
    variables.SVC_APP_URL ??
    'http://localhost:3790'
  return { terminal, appUrl, key: { baseUrl, file: keyFile(baseUrl) } }
}

/** One file for each API: a key is of one account there. */
function keyFile(baseUrl: string) {
  const { host, pathname } = new URL(baseUrl)
  const name = `${host}${pathname}`.replace(/\/$/, '').replace(/[^\w.-]/g, '_')
  return join(configFolder(), 'svc', `${name}.json`)
}
