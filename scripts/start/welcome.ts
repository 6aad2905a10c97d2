interface Urls {
  api: string
  web: string
}

/** What to click first. */
export function welcome(urls: Urls, env: NodeJS.ProcessEnv, isApiOnly: boolean) {
  const isDevelopment = env['NODE_ENV'] !== 'production'
  const lines = [
    ...(isApiOnly ? [] : [`Web app     ${urls.web}   start here: post a notice`]),
    `API         ${urls.api}/notices`,
    ...(isDevelopment ? [`Operations  ${urls.api}/_core/openapi.json`] : []),
    `Health      ${urls.api}/_core/health`,
  ]
  const indented = lines.map((line) => `  ${line}`).join('\n')
  return `\nSvc is running. Ctrl-C ends it.\n\n${indented}\n`
}
