import type { AnySchema } from '@svc/core'
import { authContract } from '../../auth-contract.ts'

/** As much of JSON schema as an answer has. */
interface Shape {
  type?: string
  const?: unknown
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
}

const secretMember =
  /secret|token|password|challenge|code|otp|nonce|cookie|verifier|authUrl|redirectTo/i

/** The members of an answer in which something secret may be. */
function* secretMembers(shape: Shape, name = ''): Generator<string> {
  if (shape.type === 'string' && shape.const === undefined && secretMember.test(name)) yield name
  if (shape.items) yield* secretMembers(shape.items, name)
  for (const each of shape.anyOf ?? []) yield* secretMembers(each, name)
  for (const [member, each] of Object.entries(shape.properties ?? {})) {
    yield* secretMembers(each, each.type === 'object' ? '' : member)
    if (each.type === 'object' && secretMember.test(member)) yield member
  }
}

const shapeOf = (schema: AnySchema | undefined) => JSON.parse(JSON.stringify(schema ?? {})) as Shape

/** What may be called without a signature, which may set a cookie too, and whatever answers something secret. */
export function issuingOperations(): { name: string; method: string; path: string }[] {
  const issuing = Object.entries(authContract).filter(
    ([, { access, operation }]) =>
      ['public', 'setup', 'optional'].includes(access) ||
      [...secretMembers(shapeOf(operation.answer?.schema))].length > 0,
  )
  return issuing.map(
    ([
      name,
      {
        operation: { method, path },
      },
    ]) => ({ name, method, path }),
  )
}

/** Whether a request was one for the operation: `/_auth/oauth/:provider/url`. */
export function isFor({ method, path }: { method: string; path: string }) {
  const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
  return (asked: { method: string; url: string }) =>
    asked.method === method && pattern.test(new URL(asked.url).pathname)
}
