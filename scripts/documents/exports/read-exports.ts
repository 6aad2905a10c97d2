import { join } from 'node:path'
import { isExportSpecifier, type Node } from 'typescript/unstable/ast'
import {
  API,
  type Checker,
  type Symbol as Named,
  type Project,
  SignatureKind,
  SymbolFlags,
} from 'typescript/unstable/sync'
import { publicPackages, repository } from '../../packages/public-packages.ts'
import { typePrinter } from './print-declaration.ts'

export const kinds = ['Function', 'Class', 'Value', 'Type'] as const
type Kind = (typeof kinds)[number]

export interface Exported {
  name: string
  kind: Kind
  /** What its comment says. */
  says: string
  /** What can be written with it, as in a declaration file. */
  signature: string
  /** The same for one thing that several entries export. */
  id: number
  /** The file that declares it. */
  file: string
}

export interface Entry {
  /** What is imported: `@svc/core/client`. */
  name: string
  packageFolder: string
  exported: Exported[]
}

/** Every export of each entry of each package, from the types of the sources. */
export function readEntries(): Entry[] {
  const api = new API({ cwd: repository })
  try {
    // Of the entries alone, and what they import.
    const config = join(import.meta.dirname, 'tsconfig.json')
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (!project) throw new Error(`${config} can not be opened.`)
    return sources().map(({ path, ...entry }) => ({
      ...entry,
      exported: exportsOf(project, join(repository, path)),
    }))
  } finally {
    api.close()
  }
}

/** The entries that have types. Others are a style sheet and files of data. */
function sources() {
  return publicPackages().flatMap(({ name, folder, exports }) =>
    Object.entries(exports).flatMap(([place, target]) => {
      const path = (target as Record<string, string>)['svc-source']
      const entry = { name: join(name, place), packageFolder: folder }
      return path ? [{ ...entry, path: join(folder, path) }] : []
    }),
  )
}

function exportsOf({ program, checker }: Project, path: string): Exported[] {
  const file = program.getSourceFile(path)
  const entry = file && checker.getSymbolAtLocation(file)
  if (!entry) throw new Error(`${path} exports nothing.`)
  const print = typePrinter(checker)
  return checker
    .getExportsOfModule(entry)
    .map((each) => {
      const isAlias = (each.flags & SymbolFlags.Alias) !== 0
      const named = isAlias ? checker.getAliasedSymbol(each) : each
      const declarations = declarationsOf(named, isAlias && isOnlyType(each))
      return {
        name: each.name,
        kind: kindOf(named, checker, isOnlyType(each)),
        // A comment beside the export itself is about the name that it has here.
        says: saysOf(each, checker) || saysOf(named, checker),
        signature: print(each.name, { named, declarations }),
        id: named.id,
        file: named.declarations[0]?.path ?? '',
      }
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** A value and a type may have the same name, of which `export type` exports the type. */
function declarationsOf(named: Named, onlyType: boolean) {
  const all = named.declarations.flatMap((each) => each.resolve() ?? [])
  const isValue = (node: Node) => node === named.valueDeclaration?.resolve()
  const types = all.filter((node) => !isValue(node))
  return onlyType && types.length > 0 ? types : all
}

function isOnlyType({ declarations: [first] }: Named) {
  const specifier = first?.resolve()
  if (!specifier || !isExportSpecifier(specifier)) return false
  const statement = specifier.parent.parent
  return specifier.isTypeOnly || ('isTypeOnly' in statement && statement.isTypeOnly === true)
}

function kindOf(named: Named, checker: Checker, onlyType: boolean): Kind {
  if ((named.flags & SymbolFlags.Class) !== 0) return 'Class'
  if (onlyType || (named.flags & SymbolFlags.Value) === 0) return 'Type'
  const type = checker.getTypeOfSymbol(named)
  const isCalled = type && checker.getSignaturesOfType(type, SignatureKind.Call).length > 0
  return isCalled ? 'Function' : 'Value'
}

function saysOf(named: Named, checker: Checker) {
  const text = named.getDocumentationComment(checker)
  const deprecated = named.getJsDocTags(checker).find(({ name }) => name === 'deprecated')
  return [text, deprecated && `Deprecated: ${deprecated.text ?? ''}`]
    .filter(Boolean)
    .join('\n\n')
    .trim()
}
