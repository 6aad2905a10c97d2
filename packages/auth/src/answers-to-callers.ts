import { directRequest, type RequestToSign, type SigningKey } from '@svc/core/client'
import { operationsOf } from './auth-contract.ts'
import type { AnyContract, Declared } from './capability/contract.ts'

/** Every operation with its callers, for a test that checks the table. */
export function accessTable(contracts: readonly AnyContract[]): string[] {
  return Object.entries(operationsOf(contracts))
    .map(
      ([name, { access, operation }]) => `${access} ${name} ${operation.method} ${operation.path}`,
    )
    .toSorted()
}

/**
 * What an operation answers to callers that it must refuse.
 * @public
 */
export interface Refusals {
  stranger: number
  suspended: number
  /** A user without the permission or the role, where the operation asks for one. */
  user?: number
}

interface Callers {
  readonly url: string
  /** Signs a request with the key of a test. */
  readonly signerOf: (
    key: SigningKey,
  ) => (request: RequestToSign) => Promise<Record<string, string>>
  readonly suspended: SigningKey
  readonly user: SigningKey
}

/**
 * Calls each operation that is not open to all, with an empty body: a caller who may not call it
 * must be refused before the body is read.
 */
export async function answersToCallers(contract: AnyContract, callers: Callers) {
  const { suspended, user } = callers
  const answers: Record<string, Refusals> = {}
  for (const [name, declared] of Object.entries(operationsOf([contract]))) {
    const { access } = declared
    if (access === 'public' || access === 'setup' || access === 'optional') continue
    answers[name] = {
      stranger: await statusOf(callers, declared),
      suspended: await statusOf(callers, declared, suspended),
      ...(/superadmin|\bmay /.test(access) && { user: await statusOf(callers, declared, user) }),
    }
  }
  return answers
}

async function statusOf(
  { url: host, signerOf }: Callers,
  { operation }: Declared,
  key?: SigningKey,
) {
  const { method, path } = operation
  const params = Object.fromEntries(
    [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, crypto.randomUUID()]),
  )
  const request = directRequest(host, { method, path, input: { params } })
  const { url, ...init } = request
  const signed = key ? await signerOf(key)({ ...request, body: request.body ?? '' }) : {}
  const answer = await fetch(url, { ...init, headers: { ...init.headers, ...signed } })
  await answer.body?.cancel()
  return answer.status
}
