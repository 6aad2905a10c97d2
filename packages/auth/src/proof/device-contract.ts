import { defineMiddleware, type RawContext } from '@svc/core'
import { displayText } from '../display-text.ts'
import { mobileContractVersion } from './contract-version.ts'
import { ProofError } from './errors.ts'

const [major = 0, minor = 0] = mobileContractVersion.split('.').map(Number)
const range = `>=${major}.${minor}.0 <${major}.${minor + 1}.0`

/**
 * For every operation of the contract of devices: the answer says which contract the server has, and an app that was
 * built against another is told so first, be it to sign in. Until 1.0.0, each minor version may break the one before.
 */
export const deviceContract = defineMiddleware('device-contract', (c, next) => {
  c.header('x-svc-server-contract-version', mobileContractVersion)
  c.header('x-svc-supported-contract-range', range)
  logClient(c)
  refuseOtherContract(c)
  return next()
})

/** What an app calls itself decides nothing. */
function logClient({ req, requestId, server }: RawContext) {
  const clientKind = displayText(req.header('x-svc-client-kind'), 64)
  const clientVersion = displayText(req.header('x-svc-client-version'), 64)
  if (clientKind ?? clientVersion) {
    server.log.debug({ requestId, clientKind, clientVersion }, 'an app called')
  }
}

function refuseOtherContract(c: RawContext) {
  const version = c.req.header('x-svc-client-contract-version')
  if (version === undefined) return
  const [, ...parts] = /^(\d{1,5})\.(\d{1,5})\.\d{1,5}$/.exec(version) ?? []
  if (Number(parts[0]) !== major || Number(parts[1]) !== minor) {
    throw new ProofError('CONTRACT_UNSUPPORTED')
  }
}
