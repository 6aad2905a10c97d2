import { readFileSync } from 'node:fs'
import { JsonReporter, type TestModule } from 'vitest/node'
import { count, line } from './counts.ts'

/** Vitest's JSON report, with our line of counts after each run of a watch. */
export default class WatchReport extends JsonReporter {
  override async onTestRunEnd(testModules: readonly TestModule[]) {
    await super.onTestRunEnd(testModules)
    // `scripts/test/test.ts` names the file.
    const { json } = this.ctx.config.outputFile as { json: string }
    const report = JSON.parse(readFileSync(json, 'utf8'))
    console.log(line(count(report, 0, { mayBeEmpty: true })))
  }
}
