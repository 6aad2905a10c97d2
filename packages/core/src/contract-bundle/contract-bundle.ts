import type { DeviceContract, Operation } from '../routes/contract.ts'
import { coreTime, refusalsOf, type TableRow } from '../routes/routes.ts'
import { type AnySchema, type JsonSchema, jsonSchemaOf } from '../schema/schema.ts'
import { byName, ContractTypes } from './contract-types.ts'

const time: Named = { name: 'coreTime', operation: coreTime.operation }

interface Named {
  name: string
  operation: Operation
}

interface Placed extends Named {
  operation: Operation & Required<Pick<Operation, 'contract'>>
}

/**
 * The contracts of a table of routes. An operation that belongs to none of them is refused by name.
 */
export function contractsOf(table: readonly TableRow[]): DeviceContract[] {
  const homeless = table.find(({ route, contract }) => route.operation.contract && !contract)
  if (homeless) {
    refuse(
      homeless.name,
      'is in a contract that its router does not name: defineRouter(routes, { contract: { name, version } }).',
    )
  }
  return [...new Set(table.flatMap(({ contract }) => contract ?? []))]
}

/**
 * The document that device clients are built against. The same contract always gives the same text.
 */
export function contractBundle(table: readonly TableRow[], contract: DeviceContract) {
  const rows = table.filter((row) => row.contract === contract)
  const marked = rows
    .map(({ name, route: { operation } }) => ({ name, operation }))
    .filter(isPlaced)
  const inOrder = byName(marked.map((each) => [each.operation.contract.name, each]))
  // A device needs the time before it can sign a request.
  const placed = [time, ...inOrder.map(([, each]) => each)].filter(isPlaced)
  refuseUntold(placed, contract)
  const types = new ContractTypes(contract.types)
  return {
    contract: contract.name,
    contractVersion: contract.version,
    ...(placed.some(({ operation }) => operation.contract.proof) && { profile: contract.profile }),
    operations: placed.map((each) => describe(each, types)),
    types: types.all(),
    errors: errorsOf(placed),
  }
}

function isPlaced(row: Named): row is Placed {
  return row.operation.contract !== undefined
}

function refuseUntold(placed: readonly Placed[], { profile }: DeviceContract) {
  const names = new Set<string>()
  for (const { name, operation } of placed) {
    const place = operation.contract
    if (names.has(place.name)) refuse(name, `is "${place.name}" in the contract, as another is.`)
    if (!operation.answer) refuse(name, 'is in the contract: declare its answer with .answer(…).')
    if (place.proof && !profile) refuse(name, 'takes a proof: its contract needs the profile.')
    names.add(place.name)
  }
}

function refuse(name: string, why: string): never {
  throw new Error(`Route "${name}" ${why}`)
}

function describe({ name, operation }: Placed, types: ContractTypes) {
  const { contract, method, path } = operation
  return {
    name: contract.name,
    operationId: name,
    method,
    path: path.replace(/:(\w+)/g, '{$1}'),
    proof: contract.proof,
    input: inputOf(operation, types),
    answers: answersOf(operation, types),
    errors: refusalsOf(operation)
      .map((refusal) => refusal.name)
      .toSorted(),
  }
}

function inputOf({ input }: Operation, types: ContractTypes) {
  const parts = byName(Object.entries(input as Record<string, AnySchema>))
  return Object.fromEntries(
    parts.map(([part, schema]) => [part, types.refer(jsonSchemaOf(schema))]),
  )
}

/** By status; `null` if the answer has no body. */
function answersOf({ answer }: Operation, types: ContractTypes) {
  if (!answer) return {}
  const schema = jsonSchemaOf(answer.schema, { side: 'output', target: 'draft-2020-12' })
  const body = isNothing(schema) ? null : types.refer(schema)
  return Object.fromEntries(
    [answer.status, ...answer.otherStatuses].map((status) => [status, body]),
  )
}

const isNothing = ({ type }: JsonSchema) => type === 'undefined'

function errorsOf(placed: readonly Placed[]) {
  const refusals = placed.flatMap(({ operation }) => refusalsOf(operation))
  return Object.fromEntries(byName(refusals.map(({ name, status }) => [name, { status }] as const)))
}
