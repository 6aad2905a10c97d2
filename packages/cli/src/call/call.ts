import type { ServerDefinition } from '@svc/core'
import { documentedRoutes } from '@svc/core'
import {
  type CallInput,
  createApi,
  type RouteMap,
  type RouteMapEntry,
  type SignRequest,
} from '@svc/core/client'
import { defineRouter, routeMapOf } from '@svc/core/contract'
import { nearest } from '@svc/core/nearest'
import type { Application } from '../application/application.ts'
import { type Device, deviceOf, explained } from '../device/device.ts'
import { CommandFailure, isRefusal, UsageError } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { jsonText } from '../terminal.ts'
import { askSecret } from './ask-secret.ts'
import { askingHeader, awaitApproval, type Waiting } from './await-approval.ts'
import { readInput } from './read-input.ts'

/** Calls any operation of the application, and prints what it answers as JSON. */
export async function call({ definition }: Application, flags: Flags, name: string) {
  const operation = operationNamed(operationsOf(definition), name)
  const input = await readInput(flags.input)
  refuseIncomplete(operation, input)
  const answer = await callNamed(definition, { flags, name, input })
  if (answer !== undefined) console.log(jsonText(answer))
  return 0
}

interface Called {
  flags: Flags
  name: string
  input: CallInput
  /** Asks the user for a proof. */
  ask?: (question: string) => Promise<string | null>
}

/** Signs with the key of this computer. Where the API asks for a fresh proof, it asks for that and calls once more. */
export async function callNamed(
  definition: ServerDefinition,
  { flags, name, input, ask = askSecret }: Called,
): Promise<unknown> {
  const device = deviceOf(definition, flags)
  const { terminal, key } = device
  const sign = await explained(device, () => terminal.signer(key))
  const { approve: isApproved } = flags
  const api = createApi<never>({
    baseUrl: key.baseUrl,
    routeMap: operationsOf(definition),
    ...(sign && { sign: isApproved ? asking(sign) : sign }),
  }) as Record<string, { call(input?: CallInput): Promise<unknown> }>
  const send = () => (api[name] as (typeof api)[string]).call(input)
  return explained(device, async () => {
    try {
      return await send()
    } catch (error) {
      if (isApproved) await awaitApproval(error, () => api['listApprovals']?.call() as Waiting)
      else await prove(device, error, ask)
      return send()
    }
  })
}

const asking =
  (sign: SignRequest): SignRequest =>
  async (request) => ({ ...(await sign(request)), ...askingHeader })

/** The query of what was given. */
export function queryOf(given: Record<string, string | undefined>) {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** Every operation that is served: those of the application, and those of its packages. */
export function operationsOf(definition: ServerDefinition): RouteMap {
  const routes = documentedRoutes(definition).map(({ name, route }) => [name, route] as const)
  return routeMapOf(defineRouter(Object.fromEntries(routes)))
}

function operationNamed(operations: RouteMap, name: string): RouteMapEntry {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
  if (operation?.rawBody) {
    throw new UsageError(`svc call ${name}: its body is no JSON. Call it with a client.`)
  }
  if (operation) return operation
  const meant = nearest(name, Object.keys(operations))
  const hint = meant ? `Did you mean "${meant}"?` : '"svc routes" lists them.'
  throw new UsageError(`This application has no operation "${name}". ${hint}`)
}

/** What the address is made of. The API checks all the rest. */
function refuseIncomplete({ path }: RouteMapEntry, { params = {} }: CallInput) {
  const missing = (path.match(/(?<=\/:)\w+/g) ?? []).filter((each) => params[each] === undefined)
  if (missing.length === 0) return
  const sample = Object.fromEntries(missing.map((each) => [each, '…']))
  throw new UsageError(
    `This operation is at ${path}, so it needs --json '${JSON.stringify({ params: sample })}'.`,
  )
}

/** Throws what was refused, unless it asks for a proof that the user gives. */
async function prove({ terminal, key }: Device, error: unknown, ask: NonNullable<Called['ask']>) {
  const proof = isRefusal(error) ? terminal.proofs[error.name] : undefined
  if (!proof) throw error
  const answer = await ask(`${proof.question}: `)
  if (answer === null) {
    throw new CommandFailure(
      'This needs a fresh proof of you: run it in a terminal, which asks for it.',
      { cause: error },
    )
  }
  await proof.give(key, answer)
}
