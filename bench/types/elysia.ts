import {
  clientOf,
  type Fields,
  grouped,
  type Kind,
  type Peer,
  parts,
  plainAnswer,
  type Shape,
  sample,
  use,
} from './shapes.ts'

const types: Record<Kind, string> = {
  string: 't.String()',
  uuid: "t.String({ format: 'uuid' })",
  email: "t.String({ format: 'email' })",
  integer: 't.Integer()',
  number: 't.Number()',
  boolean: 't.Boolean()',
  role: "t.UnionEnum(['admin', 'editor', 'viewer'])",
  tags: 't.Array(t.String())',
}

const schema = (fields: Fields) =>
  `t.Object({ ${Object.entries(fields)
    .map(([name, kind]) => `${name}: ${types[kind]}`)
    .join(', ')} })`

function routeOf(shape: Shape) {
  const input = parts(shape).map((part) => `${part}: ${schema(shape[part] ?? {})}`)
  return `  .${shape.method}('${shape.path}${shape.params ? '/:id' : ''}', ({ ${parts(shape).join(', ')} }) => {
    return ${plainAnswer(shape)}
  }, { ${input.join(', ')} })`
}

function callOf(shape: Shape) {
  const params = shape.params ? `(${sample(shape.params)})` : ''
  const body = shape.body && sample(shape.body)
  const query = shape.query && `{ query: ${sample(shape.query)} }`
  const input = [body, query].filter((argument) => argument !== undefined)
  return `{
  const { data: answer, error } = await client.group${shape.group}.${shape.name}${params}.${shape.method}(${input.join(', ')})
  if (error) throw error
  ${use(shape)}
}`
}

export const elysia: Peer = {
  name: 'elysia',
  label: 'Elysia eden',
  files(all) {
    const groups = grouped(all)
    return {
      ...Object.fromEntries(
        groups.map((group, index) => [
          `group${index}.ts`,
          `import { Elysia, t } from 'elysia'\n\nexport const group${index} = new Elysia()\n${group.map(routeOf).join('\n')}\n`,
        ]),
      ),
      'router.ts': `import { Elysia } from 'elysia'
${groups.map((_, index) => `import { group${index} } from './group${index}.ts'`).join('\n')}
export const app = new Elysia()
${groups.map((_, index) => `  .use(group${index})`).join('\n')}
export type AppRouter = typeof app
`,
      'client.ts': `import { treaty } from '@elysiajs/eden'
import type { AppRouter } from './router.ts'
const client = treaty<AppRouter>('localhost')
${clientOf(all, callOf)}
`,
    }
  },
}
