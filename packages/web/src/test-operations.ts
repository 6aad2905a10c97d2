import { defineRouter, readBody, route, routeMapOf } from '@svc/core'

// oxlint-disable-next-line typescript/no-explicit-any -- tests read what they have just sent
type Body = any

interface Given {
  readonly body: Body
  readonly headers: Record<string, unknown>
}

type Answering = (given: Given) => Answered | Promise<Answered>
type Answered = { readonly status?: number; readonly body: object }

/**
 * An application's routes under names of operations that the service answers elsewhere, or not yet.
 * The proxy treats an operation by its name. `seen` is what has reached each.
 */
export function testOperations(answers: Record<string, Answering>) {
  const seen = new Map<string, Given>()
  const operation = (name: string, answer: Answering) =>
    route
      .post(`/test/${name}`)
      .skip(['auth'])
      .handler(async (c) => {
        const text = (await readBody(c.raw)).toString()
        const given = { body: text && JSON.parse(text), headers: c.raw.incoming.headers }
        seen.set(name, given)
        const { status = 200, body } = await answer(given)
        return c.json(body, status)
      })
  const entries = Object.entries(answers)
  // Under other names on the server, where two routes cannot have the same.
  const router = defineRouter(
    Object.fromEntries(entries.map(([name, answer]) => [`test_${name}`, operation(name, answer)])),
  )
  const ours = Object.entries(routeMapOf(router))
  const routeMap = Object.fromEntries(ours.map(([name, at]) => [name.replace('test_', ''), at]))
  return { router, routeMap, seen }
}
