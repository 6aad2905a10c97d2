import { asyncApi } from '@svc/core'
import { defineEnv, webAddress } from '@svc/core/env'
import type { Application } from '../application/application.ts'
import { CommandFailure } from '../failure.ts'
import { printDocument } from '../print-document.ts'

const readAddresses = defineEnv({ NEXT_PUBLIC_SVC_API_URL: webAddress, SVC_API_URL: webAddress })

/** Prints the application's streams and messages, or writes them to a file. */
export async function printAsyncApi({ definition, title, version, out }: Application) {
  const { events, websockets } = definition.settings
  if (!events && !websockets) {
    throw new CommandFailure(
      'This application streams nothing: serve an event router with .events(…) or .websockets(…).',
    )
  }
  // The address for clients. The other one may only work inside a network.
  const { NEXT_PUBLIC_SVC_API_URL, SVC_API_URL } = readAddresses()
  const url = NEXT_PUBLIC_SVC_API_URL ?? SVC_API_URL
  await printDocument(
    asyncApi(definition.settings, { title, version, ...(url !== undefined && { url }) }),
    out,
  )
  return 0
}
