import type { partsEnvironment } from '../environment/environment.ts'

type Started = ReturnType<typeof partsEnvironment>

/**
 * The page to open first, how to sign in, and then further addresses, for a terminal of 80 columns.
 */
export async function welcome(started: Started, { hasWeb }: { hasWeb: boolean }) {
  const operations = await operationsOf(started.urls.api)
  const forUsers = userLines(started, operations)
  const forDevelopers = developerLines(started, operations, hasWeb)
  const groups = hasWeb
    ? [[`Web app     ${started.urls.web}   open this first`, ...forUsers], forDevelopers]
    : [forDevelopers, forUsers]
  const indented = groups.map((lines) => lines.map((line) => `  ${line}\n`).join(''))
  return `\nSvc is running. Press Ctrl-C to stop it.\n\n${indented.filter(Boolean).join('\n')}`
}

function userLines({ urls, env, signIn }: Started, operations: Operations) {
  const hasMailbox =
    env['NODE_ENV'] !== 'production' && '/_ops/mailbox' in operations && mailIsKept(env)
  // In production there is no document to tell it.
  const hasSignIn = '/_auth/login' in operations || Object.keys(operations).length === 0
  return [
    ...(signIn && hasSignIn ? [`Sign in     ${signIn.email}   password: ${signIn.password}`] : []),
    ...(hasMailbox ? [`Mailbox     ${urls.api}/_ops/mailbox   codes and links arrive here`] : []),
  ]
}

function developerLines({ urls }: Started, operations: Operations, hasWeb: boolean) {
  return [
    `API         ${urls.api}${firstOpen(operations)}`,
    // An agent needs the consent page of the web app.
    ...(hasWeb && '/mcp' in operations ? [`Agents      ${urls.api}/mcp   for MCP clients`] : []),
    ...('/_core/health' in operations ? [`OpenAPI     ${urls.api}/_core/openapi.json`] : []),
    `Health      ${urls.api}/_core/health`,
  ]
}

type Operations = Record<string, { get?: { security?: object[] } }>

/** The paths in the OpenAPI document. Production serves none, so there are no paths then. */
async function operationsOf(api: string): Promise<Operations> {
  try {
    const answer = await fetch(`${api}/_core/openapi.json`)
    return answer.ok ? (await answer.json()).paths : {}
  } catch {
    return {}
  }
}

/**
 * The first path of the application that you can open without signing in. `/health` says where
 * health is, unless an application has one of its own.
 */
function firstOpen(operations: Operations) {
  const open = Object.entries(operations).find(
    ([path, { get }]) =>
      /^\/(?!_|\.|events\/|health$)[^{]+$/.test(path) && get?.security?.length === 0,
  )
  return open?.[0] ?? ''
}

/**
 * The mailbox page shows only mail that is stored as files. If the address is a secret, it is that
 * of a mail server.
 */
function mailIsKept({ SVC_MAIL_URL, SVC_MAIL_URL_FILE }: NodeJS.ProcessEnv) {
  return SVC_MAIL_URL ? SVC_MAIL_URL.startsWith('file:') : !SVC_MAIL_URL_FILE
}
