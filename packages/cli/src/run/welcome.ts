import type { partsEnvironment } from './environment.ts'

type Started = ReturnType<typeof partsEnvironment>

/** What to click first. */
export async function welcome({ urls, env, signIn }: Started, { hasWeb }: { hasWeb: boolean }) {
  const operations = await operationsOf(urls.api)
  const has = (path: string) => path in operations
  const isDevelopment = env['NODE_ENV'] !== 'production'
  const lines = [
    ...(hasWeb ? [`Web app     ${urls.web}   start here`] : []),
    `API         ${urls.api}${firstOpen(operations)}`,
    // Its user agrees in the web app.
    ...(hasWeb && has('/mcp')
      ? [`Agents      ${urls.api}/mcp   the address for an MCP client`]
      : []),
    ...(isDevelopment && has('/_ops/mailbox') && mailIsKept(env)
      ? [`Mailbox     ${urls.api}/_ops/mailbox   codes and links arrive here`]
      : []),
    ...(has('/_core/health') ? [`Operations  ${urls.api}/_core/openapi.json`] : []),
    `Health      ${urls.api}/_core/health`,
    ...(signIn ? [`Sign-in     ${signIn.email}   password: ${signIn.password}`] : []),
  ]
  const indented = lines.map((line) => `  ${line}`).join('\n')
  return `\nSvc is running. Ctrl-C ends it.\n\n${indented}\n`
}

type Operations = Record<string, { get?: { security?: object[] } }>

/** What the API answers, by its own document; nothing in production, where it shows none. */
async function operationsOf(api: string): Promise<Operations> {
  try {
    const answer = await fetch(`${api}/_core/openapi.json`)
    return answer.ok ? (await answer.json()).paths : {}
  } catch {
    return {}
  }
}

/** The first path of the application's own that everybody may look at. */
function firstOpen(operations: Operations) {
  const open = Object.entries(operations).find(
    ([path, { get }]) => /^\/(?!_|\.|events\/)[^{]+$/.test(path) && get?.security?.length === 0,
  )
  return open?.[0] ?? ''
}

/** As files, which the mailbox shows; mail that leaves is in somebody's own. */
function mailIsKept({ SVC_MAIL_URL }: NodeJS.ProcessEnv) {
  return !SVC_MAIL_URL || SVC_MAIL_URL.startsWith('file:')
}
