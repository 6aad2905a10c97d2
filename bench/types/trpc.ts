import { clientOf, grouped, type Peer, parts, plainAnswer, type Shape, use } from './shapes.ts'
import { sampleInput, zodInput } from './zod.ts'

function procedureOf(shape: Shape) {
  return `  ${shape.name}: t.procedure
    .input(${zodInput(shape)})
    .${shape.method === 'get' ? 'query' : 'mutation'}(({ input: { ${parts(shape).join(', ')} } }) => {
      return ${plainAnswer(shape)}
    }),`
}

function callOf(shape: Shape) {
  const verb = shape.method === 'get' ? 'query' : 'mutate'
  return `{
  const answer = await client.group${shape.group}.${shape.name}.${verb}(${sampleInput(shape)})
  ${use(shape)}
}`
}

export const trpc: Peer = {
  name: 'trpc',
  label: 'tRPC, zod',
  files(all) {
    const groups = grouped(all)
    return {
      'trpc.ts': `import { initTRPC } from '@trpc/server'\nexport const t = initTRPC.create()\n`,
      ...Object.fromEntries(
        groups.map((group, index) => [
          `group${index}.ts`,
          `import { z } from 'zod'\nimport { t } from './trpc.ts'\n\nexport const group${index} = t.router({\n${group.map(procedureOf).join('\n')}\n})\n`,
        ]),
      ),
      'router.ts': `import { t } from './trpc.ts'
${groups.map((_, index) => `import { group${index} } from './group${index}.ts'`).join('\n')}
export const appRouter = t.router({ ${groups.map((_, index) => `group${index}`).join(', ')} })
export type AppRouter = typeof appRouter
`,
      'client.ts': `import { createTRPCClient, httpBatchLink } from '@trpc/client'
import type { AppRouter } from './router.ts'
const client = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: '/trpc' })] })
${clientOf(all, callOf)}
`,
    }
  },
}
