import { readEnv } from '../env.ts'

/** The command as the user typed it, for a message that asks to type it again. */
export function typedCommand(command: string, flags: Record<string, string | true>) {
  const given = Object.entries(flags).map(([name, value]) =>
    value === true ? `--${name}` : `--${name} ${value}`,
  )
  const { npmScript } = readEnv()
  if (!npmScript || npmScript === 'npx') return ['npx @svc/cli', command, ...given].join(' ')
  const script = npmScript === 'start' ? 'npm start' : `npm run ${npmScript}`
  return [script, ...(given.length > 0 ? ['--', ...given] : [])].join(' ')
}
