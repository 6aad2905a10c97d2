import { directRequest } from '@svc/core/client'
import { operationsOf } from './auth-contract.ts'
import type { AnyContract, Declared } from './capability/contract.ts'
import { isCounted } from './running/running.ts'

/** The last answer of each operation to requests without a credential, one more than its limit allows. */
export async function answersToStrangers(url: string, contract: AnyContract) {
  const answers: Record<string, number> = {}
  for (const [name, declared] of Object.entries(operationsOf([contract]))) {
    answers[name] = await lastAnswer(url, declared, requestsOf(declared, contract))
  }
  return answers
}

/** One more than its limit allows. Without a limit, one is enough. */
function requestsOf({ counted }: Declared, { limits }: AnyContract) {
  const { limit = 0 } = (isCounted(counted) && limits[counted]) || {}
  return limit + 1
}

async function lastAnswer(baseUrl: string, { operation }: Declared, requests: number) {
  const { method, path } = operation
  const params = Object.fromEntries(
    [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, crypto.randomUUID()]),
  )
  const body = method === 'GET' ? undefined : {}
  const { url, ...init } = directRequest(baseUrl, { method, path, input: { params, body } })
  let status = 0
  for (let sent = 0; sent < requests; sent += 1) {
    const answer = await fetch(url, init)
    await answer.body?.cancel()
    status = answer.status
  }
  return status
}
