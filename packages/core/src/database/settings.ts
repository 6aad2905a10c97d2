import { Query, type QueryConfig } from 'pg'
import type { Connections, Settings } from './transaction.ts'

interface SettingStatement {
  name: string
  text: string
  values: string[]
}

/** Makes the settings. They end with the transaction in which it runs. */
export function settingStatement(settings: Settings): SettingStatement {
  const entries = Object.entries(settings)
  // It answers without a row, which would have to be read for nothing.
  const calls = entries.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, true) is null`)
  return {
    name: `svc_settings_${entries.length}`,
    text: `select where ${calls.join(' or ')}`,
    values: entries.flat(),
  }
}

/** A pool whose statements have these settings. */
export function statementsWith(pool: Connections, settings: Settings): Pick<Connections, 'query'> {
  const setting = settingStatement(settings)
  const query = (statement: QueryConfig, values?: unknown[]) => {
    if (pool.queryWith) return pool.queryWith(settings, statement, values)
    // The pool also takes a query that can send itself.
    const sending: unknown = new SettingQuery(setting, statement, values)
    return pool.query(sending as QueryConfig)
  }
  // Drizzle uses only this form of the call.
  return { query: query as Connections['query'] }
}

/** The driver's connection, as far as its queries use it. */
interface Wire {
  /** The texts of prepared statements, by name: those that it has, and those on their way there. */
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>
  parse(statement: { name: string; text: string }): void
  bind(values: { statement: string; values: string[] }): void
  execute(): void
}

/** The driver's query. Its types leave out these methods, which it calls itself. */
interface DriverQuery {
  submit(connection: never): void
  requiresPreparation(): boolean
  prepare(connection: Wire): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Wire): void
}

const DriverQuery = Query as unknown as new (
  statement: QueryConfig,
  values?: unknown[],
) => DriverQuery

/**
 * A statement and its settings in one message. Without a Sync between them, PostgreSQL runs both in
 * one transaction. It ends with the statement, and the settings end with it, so that the next user
 * of the connection gets none of them. If either fails, the pool closes the connection.
 */
class SettingQuery extends DriverQuery {
  readonly #setting: SettingStatement
  /** Until the answer to the settings has arrived. */
  #isSetting = true

  constructor(setting: SettingStatement, statement: QueryConfig, values?: unknown[]) {
    super(statement, values)
    this.#setting = setting
  }

  /** In the simple protocol, each statement ends its transaction. */
  override requiresPreparation() {
    return true
  }

  override prepare(connection: Wire) {
    const { name, text, values } = this.#setting
    const { parsedStatements, submittedNamedStatements } = connection
    if (!parsedStatements[name] && !submittedNamedStatements[name]) {
      connection.parse({ name, text })
      // The driver moves the name of this query to the parsed ones, and not this one. Both count.
      submittedNamedStatements[name] = text
    }
    connection.bind({ statement: name, values })
    connection.execute()
    super.prepare(connection)
  }

  override handleDataRow(message: unknown) {
    if (!this.#isSetting) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: Wire) {
    if (!this.#isSetting) super.handleCommandComplete(message, connection)
    this.#isSetting = false
  }
}
