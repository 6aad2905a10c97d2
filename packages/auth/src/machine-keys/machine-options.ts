import { DefinitionError } from '@svc/core'

/** For `createAuthLifecycle({ machines })`. */
export interface MachineOptions {
  /**
   * Machine keys may also sign requests by RFC 9421, with the headers `Signature-Input` and
   * `Signature`, instead of a request token. Devices never may.
   */
  messageSignatures?: boolean
}

export function checkMachines(machines: MachineOptions) {
  const isKnown = Object.entries(machines).every(
    ([name, value]) => name === 'messageSignatures' && typeof value === 'boolean',
  )
  if (isKnown) return
  throw new DefinitionError([
    'createAuthLifecycle({ machines }) takes messageSignatures alone, and that is true or false: write machines: { messageSignatures: true }.',
  ])
}
