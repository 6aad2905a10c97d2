import { execFileSync } from 'node:child_process'

/** What a process of another user can read of a server's processes in /proc, and of its socket. */
export function lootOf(directory: string, uid: number, pids: number[]) {
  const program = `
    const { readdirSync, readFileSync } = require('node:fs')
    const { connect } = require('node:net')
    process.setgroups([])
    process.setgid(${uid})
    process.setuid(${uid})
    const attempt = (get) => { try { return get() } catch (error) { return error.code } }
    const read = (path) => attempt(() => readFileSync(path, 'latin1'))
    const list = (path) => attempt(() => readdirSync(path).join())
    const pids = ${JSON.stringify(pids)}
    const loot = pids.flatMap((pid) => [
      read('/proc/' + pid + '/environ'), read('/proc/' + pid + '/cmdline'),
      read('/proc/' + pid + '/cwd/svc.password'), read('/proc/' + pid + '/root/${directory}/pg/svc.password'),
      list('/proc/' + pid + '/cwd/'), list('/proc/' + pid + '/fd/'), attempt(() => process.kill(pid, 0)),
    ])
    loot.push(read('${directory}/pg/svc.password'))
    connect('/proc/' + pids[0] + '/cwd/.s.PGSQL.5432')
      .on('connect', () => { console.log([...loot, 'connected'].join('\\n')); process.exit() })
      .on('error', ({ code }) => { console.log([...loot, code].join('\\n')); process.exit() })`
  return execFileSync(process.execPath, ['-e', program], { encoding: 'utf8', cwd: '/' })
}

/** A server's own process, and those that it has started. */
export function processesOf(postmaster: number) {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n')
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number))
  return [postmaster, ...pairs.flatMap(([pid, ppid]) => (ppid === postmaster && pid ? [pid] : []))]
}
