import {
  clientOf,
  type Fields,
  grouped,
  type Kind,
  type Peer,
  parts,
  type Shape,
  sample,
  use,
  value,
} from './shapes.ts'

const types: Record<Kind, string> = {
  string: 't.String()',
  uuid: "t.String({ format: 'uuid' })",
  email: "t.String({ format: 'email' })",
  integer: 't.Integer()',
  number: 't.Number()',
  boolean: 't.Boolean()',
  role: "t.Enum(['admin', 'editor', 'viewer'])",
  tags: 't.Array(t.String())',
}

const schema = (fields: Fields) =>
  `t.Object({ ${Object.entries(fields)
    .map(([name, kind]) => `${name}: ${types[kind]}`)
    .join(', ')} })`

function answer(shape: Shape) {
  if (shape.answers === 'success') return `c.success(${value(shape)})`
  if (shape.answers === 'page') return `c.paginated([${value(shape)}], query.page, 20, 100)`
  return value(shape)
}

function routeOf(shape: Shape) {
  const input = parts(shape).map((part) => `${part}: ${schema(shape[part] ?? {})}`)
  return `export const ${shape.name} = route
  .${shape.method}('${shape.path}${shape.params ? '/:id' : ''}')
  .input({ ${input.join(', ')} })
${shape.refuses ? '  .errors(GoneError, TakenError)\n' : ''}  .handler(async (c) => {
    const { ${parts(shape).join(', ')} } = await c.data()
    return ${answer(shape)}
  })
`
}

function callOf(shape: Shape) {
  const input = parts(shape).map((part) => `${part}: ${sample(shape[part] ?? {})}`)
  return `{
  const answer = await api.${shape.name}.call({ ${input.join(', ')} })
  ${use(shape)}
}`
}

export const svc: Peer = {
  name: 'svc',
  label: 'Svc',
  files(all) {
    const groups = grouped(all)
    return {
      'errors.ts': `import { HttpError } from '@svc/core/contract'
export class GoneError extends HttpError {
  readonly name = 'GoneError'
  readonly status = 410
}
export class TakenError extends HttpError<{ by: string }> {
  readonly name = 'TakenError'
  readonly status = 409
}
`,
      ...Object.fromEntries(
        groups.map((group, index) => [
          `group${index}.ts`,
          `import { route, t } from '@svc/core/contract'\nimport { GoneError, TakenError } from './errors.ts'\n\n${group.map(routeOf).join('\n')}`,
        ]),
      ),
      'router.ts': `import { defineRouter } from '@svc/core/contract'
${groups.map((_, index) => `import * as group${index} from './group${index}.ts'`).join('\n')}
export const appRouter = defineRouter({ ${groups.map((_, index) => `...group${index}`).join(', ')} })
export type AppRouter = typeof appRouter
`,
      'client.ts': `import { createApi } from '@svc/core/client'
import type { AppRouter } from './router.ts'
const api = createApi<AppRouter>({ routeMap: {} })
${clientOf(all, callOf)}
`,
    }
  },
}
