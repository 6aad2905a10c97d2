import { clientOf, grouped, type Peer, parts, plainAnswer, type Shape, use } from './shapes.ts'
import { sampleInput, zodInput } from './zod.ts'

const refusals =
  '{ GONE: { status: 410 }, TAKEN: { status: 409, data: z.object({ by: z.string() }) } }'

function procedureOf(shape: Shape) {
  return `  ${shape.name}: os
${shape.refuses ? `    .errors(${refusals})\n` : ''}    .input(${zodInput(shape)})
    .handler(({ input: { ${parts(shape).join(', ')} } }) => {
      return ${plainAnswer(shape)}
    }),`
}

function callOf(shape: Shape) {
  return `{
  const answer = await client.group${shape.group}.${shape.name}(${sampleInput(shape)})
  ${use(shape)}
}`
}

export const orpc: Peer = {
  name: 'orpc',
  label: 'oRPC, zod',
  files(all) {
    const groups = grouped(all)
    return {
      ...Object.fromEntries(
        groups.map((group, index) => [
          `group${index}.ts`,
          `import { os } from '@orpc/server'\nimport { z } from 'zod'\n\nexport const group${index} = {\n${group.map(procedureOf).join('\n')}\n}\n`,
        ]),
      ),
      'router.ts': `${groups.map((_, index) => `import { group${index} } from './group${index}.ts'`).join('\n')}
export const appRouter = { ${groups.map((_, index) => `group${index}`).join(', ')} }
export type AppRouter = typeof appRouter
`,
      'client.ts': `import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { RouterClient } from '@orpc/server'
import type { AppRouter } from './router.ts'
const client: RouterClient<AppRouter> = createORPCClient(new RPCLink({ url: '/rpc' }))
${clientOf(all, callOf)}
`,
    }
  },
}
