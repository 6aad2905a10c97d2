import {
  type ClassDeclaration,
  type ConstructorDeclaration,
  type FunctionDeclaration,
  type GetAccessorDeclaration,
  type InterfaceDeclaration,
  isClassDeclaration,
  isConstructorDeclaration,
  isExportDeclaration,
  isFunctionDeclaration,
  isGetAccessorDeclaration,
  isInterfaceDeclaration,
  isMethodDeclaration,
  isPropertyDeclaration,
  isSourceFile,
  isTypeAliasDeclaration,
  isVariableDeclaration,
  type MethodDeclaration,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast'
import {
  type Checker,
  type Symbol as Named,
  NodeBuilderFlags,
  type Type,
} from 'typescript/unstable/sync'

interface Given {
  named: Named
  declarations: Node[]
}

/** More than that is not read: an editor shows it beside what is typed. */
const mostLetters = 1500

const flags =
  NodeBuilderFlags.NoTruncation |
  NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope |
  NodeBuilderFlags.UseSingleQuotesForStringLiteralType |
  NodeBuilderFlags.MultilineObjectLiterals

/** Prints what is exported as a declaration file would have it: without what runs. */
export function typePrinter(checker: Checker) {
  return (name: string, { named, declarations }: Given) => {
    const isOverloaded = declarations.filter(isFunctionDeclaration).length > 1
    return declarations
      .filter((node) => !(isOverloaded && isFunctionDeclaration(node) && node.body))
      .map((node) => print(node, name, named))
      .join('\n')
  }

  function print(node: Node, name: string, named: Named) {
    if (isFunctionDeclaration(node)) return printFunction(node)
    if (isClassDeclaration(node)) return printClass(node)
    if (isVariableDeclaration(node)) {
      const type = node.type?.getText() ?? textOf(checker.getTypeOfSymbol(named), node)
      return `const ${name}: ${cut(type)}`
    }
    if (isTypeAliasDeclaration(node)) {
      const isMade = /\btypeof\b|Static</.test(node.type.getText()) && !node.typeParameters
      if (isMade)
        return `type ${name} = ${cut(textOf(checker.getDeclaredTypeOfSymbol(named), node))}`
    }
    if (isSourceFile(node)) return printModule(node)
    return isInterfaceDeclaration(node) ? printInterface(node) : bare(node.getText())
  }

  function printFunction(node: FunctionDeclaration | MethodDeclaration | GetAccessorDeclaration) {
    return node.type ? headOf(node) : `${headOf(node)}: ${cut(returned(node))}`
  }

  function returned(node: Node) {
    const signature = checker.getSignatureFromDeclaration(node)
    return textOf(signature && checker.getReturnTypeOfSignature(signature), node)
  }

  function printClass(node: ClassDeclaration) {
    const head = bare(sourceOf(node, node.getStart(), node.members.pos))
    const overloaded = new Set(
      node.members.flatMap((each) =>
        isMethodDeclaration(each) && !each.body ? [each.name.getText()] : [],
      ),
    )
    const members = node.members
      .filter((each) => !isHidden(each))
      .filter(
        (each) => !(isMethodDeclaration(each) && each.body && overloaded.has(each.name.getText())),
      )
      .map((each) => `  ${commentOf(each)}${printMember(each)}`)
    return [head, ...members, '}'].join('\n')
  }

  function printMember(node: Node) {
    if (isConstructorDeclaration(node)) return headOf(node)
    if (isMethodDeclaration(node) || isGetAccessorDeclaration(node)) return printFunction(node)
    if (!isPropertyDeclaration(node)) return bare(node.getText())
    const type = node.type?.getText() ?? textOf(checker.getTypeAtLocation(node.name), node)
    const { end } = node.postfixToken ?? node.name
    return `${bare(sourceOf(node, node.getStart(), end))}: ${cut(type)}`
  }

  function textOf(type: Type | undefined, node: Node) {
    if (!type) throw new Error(`${node.getText()} has no type.`)
    const inset = isClassDeclaration(node.parent) ? '\n  ' : '\n'
    return checker
      .typeToString(type, node, flags)
      .replaceAll(/;$/gm, '')
      .replaceAll(/^ +/gm, (indent) => indent.slice(indent.length / 2))
      .replaceAll('\n', inset)
  }
}

/** What stands before its body. */
function headOf(
  node: FunctionDeclaration | MethodDeclaration | GetAccessorDeclaration | ConstructorDeclaration,
) {
  return bare(sourceOf(node, node.getStart(), node.body?.pos ?? node.end))
}

const hidden =
  /^(?:(?:static|declare|readonly|async|override|abstract|get|set) )*(?:private |protected |#|_)/

function isHidden(node: Node) {
  return hidden.test(node.getText()) || isInternal(node)
}

function isInternal(node: Node) {
  return commentOf(node).includes('@internal')
}

function printInterface(node: InterfaceDeclaration) {
  const start = node.getStart()
  const pieces = node.members
    .filter((each) => !isInternal(each))
    .map((each) => sourceOf(node, each.pos, each.end))
  return bare([sourceOf(node, start, node.members.pos), ...pieces, '\n}'].join('')).replace(
    /\{\n\}$/,
    '{}',
  )
}

/** Of a namespace, what its file exports: the declarations have types of their own. */
function printModule({ statements }: SourceFile) {
  const exporting = statements.filter(isExportDeclaration)
  return exporting.map((each) => each.getText()).join('\n')
}

function commentOf(node: Node) {
  const start = node.getStart(undefined, true)
  return sourceOf(node, start, node.getStart())
}

function sourceOf(node: Node, start: number, end: number) {
  return node.getSourceFile().text.slice(start, end)
}

/** Without the words that say nothing to a reader of the signature. */
function bare(text: string) {
  return text.trim().replace(/^(?:(?:export|default|declare|async) )+/, '')
}

function cut(type: string) {
  return type.length > mostLetters ? '… // too long for this page: your editor shows it' : type
}
