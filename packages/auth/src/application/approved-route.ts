import { DefinitionError, defineMiddleware, type HandlerContext } from '@svc/core'
import { type AnyRoute, Route } from '@svc/core/contract'
import { approvalErrors, requireApproval } from '../approvals/approvals.ts'

/** Documents what the check of the input does. It lets every request pass to it. */
const documented = defineMiddleware('approved', (_, next) => next(), {
  documents: {
    requires:
      'The owner of the account approves each call of a program, by its values. A person gives a fresh proof.',
    errors: approvalErrors,
  },
})

/** The same route, for calls that the owner of the account has approved. */
export function approvedRoute(route: AnyRoute): AnyRoute {
  const { operation, binding } = route
  refuseUnseen(route)
  const name = `${operation.method} ${operation.path}`
  const title = operation.tool?.title ?? operation.summary ?? name
  return new Route(operation, {
    ...binding,
    middlewares: [...binding.middlewares, documented],
    access: { ...binding.access, who: `approved, ${binding.access?.who}` },
    async check(c: HandlerContext) {
      await (binding.check as Check | undefined)?.(c)
      await requireApproval(c, { operation: name, title })
    },
  })
}

type Check = (c: HandlerContext) => Promise<unknown>

/** An owner can read no bytes, and what they can't read they would approve unseen. */
function refuseUnseen({ operation: { method, path, input } }: AnyRoute) {
  if (!input.form && !isBytes(input.body)) return
  throw new DefinitionError([
    `${method} ${path} takes a form or bytes, so no owner could read what they approve. Declare its input as JSON, or leave out allow.approved.`,
  ])
}

const isBytes = (body: object | undefined) => body !== undefined && '~form' in body
