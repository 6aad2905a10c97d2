interface Started {
  urls: { api: string; web: string }
  env: NodeJS.ProcessEnv
  /** As the account was made: who has changed the password since knows the other one. */
  signIn: { email: string; password: string } | null
}

/** What to click first. */
export function welcome({ urls, env, signIn }: Started, isApiOnly: boolean) {
  const isDevelopment = env['NODE_ENV'] !== 'production'
  const lines = [
    ...(isApiOnly ? [] : [`Web app     ${urls.web}   start here: sign in and post a notice`]),
    `API         ${urls.api}/notices`,
    // Its user agrees in the web app.
    ...(isApiOnly ? [] : [`Agents      ${urls.api}/mcp   the address for an MCP client`]),
    ...(isDevelopment && mailIsKept(env)
      ? [`Mailbox     ${urls.api}/_ops/mailbox   codes and links arrive here`]
      : []),
    ...(isDevelopment ? [`Operations  ${urls.api}/_core/openapi.json`] : []),
    `Health      ${urls.api}/_core/health`,
    ...(signIn ? [`Sign-in     ${signIn.email}   password: ${signIn.password}`] : []),
  ]
  const indented = lines.map((line) => `  ${line}`).join('\n')
  return `\nSvc is running. Ctrl-C ends it.\n\n${indented}\n`
}

/** As files, which the mailbox shows; mail that leaves is in somebody's own. */
function mailIsKept({ SVC_MAIL_URL }: NodeJS.ProcessEnv) {
  return !SVC_MAIL_URL || SVC_MAIL_URL.startsWith('file:')
}
