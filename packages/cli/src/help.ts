import { groups } from './command.ts'
import { commands } from './commands.ts'
import { flags, typed } from './flags.ts'
import { aligned, paint } from './terminal.ts'

const helpFlag = ['--help', 'Print this help']

/** The help on svc, or on one of its commands. */
export function helpText(name?: string) {
  const command = name === undefined ? undefined : commands.get(name)
  if (!command) return overview()

  const words = [command.argument ?? [], command.flags.map((flag) => `[${written(flag)}]`)]
  const usage = ['svc', name, ...words.flat()].join(' ')
  const options = [...command.flags.map((flag) => [written(flag), flags[flag].about]), helpFlag]
  const related = [...commands]
    .filter(([other]) => other.startsWith(`${name} `))
    .map(([other, { summary }]) => [`svc ${other}`, summary])
  return [
    `${command.summary}.`,
    `${title('Usage')}\n  ${usage}`,
    command.details,
    `${title('Options')}\n${rows(options)}`,
    ...(related.length > 0 ? [`${title('See also')}\n${rows(related)}`] : []),
  ].join('\n\n')
}

function overview() {
  return [
    'Svc creates, runs and operates an application.',
    `${title('Usage')}\n  svc <command> [options]`,
    ...listed(),
    `${title('Options')}\n${rows([
      ['--help', 'Print this help, or the help of a command'],
      ['--version', 'Print the version'],
    ])}`,
    `${title('How svc finds the application')}
  It reads "svc" in the nearest package.json, here or in a folder above. These are the
  defaults. It finds api/server.ts too:

    "svc": { "server": "./server.ts", "routeMap": "./route-map.generated.ts",
             "main": "./main.ts", "web": "./web" }`,
  ].join('\n\n')
}

/** The commands, group by group, with names of equal width. */
function listed() {
  const list = [...commands]
  const lines = rows(list.map(([name, { summary }]) => [name, summary])).split('\n')
  return groups.map((group) => {
    const own = lines.filter((_, at) => list[at]?.[1].group === group)
    return `${title(group)}\n${own.join('\n')}`
  })
}

function written(flag: keyof typeof flags) {
  const { value } = flags[flag]
  return value ? `--${typed(flag)} ${value}` : `--${typed(flag)}`
}

function rows(cells: string[][]) {
  return aligned(cells)
    .map((row) => `  ${row.join('   ')}`)
    .join('\n')
}

function title(text: string) {
  return paint('bold', text)
}
