import {
  clientOf,
  grouped,
  type Kind,
  type Peer,
  parts,
  plainAnswer,
  type Shape,
  sample,
  use,
} from './shapes.ts'
import { zodObject } from './zod.ts'

const targets = { params: 'param', query: 'query', body: 'json' } as const

// Its client sends a query as text, so a number in it is also text in the client's type.
const asText: Partial<Record<Kind, string>> = { integer: 'z.string()' }

function routeOf(shape: Shape) {
  const validators = parts(shape).map((part) => {
    const words = part === 'query' ? asText : {}
    return `zValidator('${targets[part]}', ${zodObject(shape[part] ?? {}, words)})`
  })
  const read = parts(shape).map((part) => `const ${part} = c.req.valid('${targets[part]}')`)
  return `  .${shape.method}('${shape.path}${shape.params ? '/:id' : ''}', ${validators.join(', ')}, (c) => {
    ${read.join('\n    ')}
    return c.json(${plainAnswer(shape)})
  })`
}

function callOf(shape: Shape) {
  const path = `group${shape.group}.operation${shape.index}${shape.params ? "[':id']" : ''}`
  const input = parts(shape).map((part) => {
    const fields = sample(shape[part] ?? {})
    return `${targets[part]}: ${part === 'query' ? fields.replace('page: 3', "page: '3'") : fields}`
  })
  return `{
  const response = await client.${path}.$${shape.method}({ ${input.join(', ')} })
  if (!response.ok) throw new Error(response.statusText)
  const answer = await response.json()
  ${use(shape)}
}`
}

export const hono: Peer = {
  name: 'hono',
  label: 'Hono hc, zod',
  files(all) {
    const groups = grouped(all)
    return {
      ...Object.fromEntries(
        groups.map((group, index) => [
          `group${index}.ts`,
          `import { zValidator } from '@hono/zod-validator'\nimport { Hono } from 'hono'\nimport { z } from 'zod'\n\nexport const group${index} = new Hono()\n${group.map(routeOf).join('\n')}\n`,
        ]),
      ),
      'router.ts': `import { Hono } from 'hono'
${groups.map((_, index) => `import { group${index} } from './group${index}.ts'`).join('\n')}
export const app = new Hono()
${groups.map((_, index) => `  .route('/', group${index})`).join('\n')}
export type AppRouter = typeof app
`,
      'client.ts': `import { hc } from 'hono/client'
import type { AppRouter } from './router.ts'
const client = hc<AppRouter>('/')
${clientOf(all, callOf)}
`,
    }
  },
}
