/** The graphs here use these element types, in ONNX's `TensorProto.DataType` numbering. */
const DATA_TYPES = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10 } as const

export type ElementType = keyof typeof DATA_TYPES

/** A node attribute. A bare number is an integer; `{ float }` marks the ONNX float kind, which is another wire type. */
export type Attribute = number | readonly number[] | { readonly float: number }

/** A dimension of an input or output: a fixed length, or the name of one that is known only at run time. */
export type Dimension = number | string

/** A range of bytes of a file. */
export interface FilePlace {
  readonly file: string
  readonly offset: number
  readonly length: number
}

/**
 * Writes an ONNX model (IR version 9, operator set 20) as protobuf bytes: just the messages that a graph of standard
 * operators with constants needs. Field numbers are those of `onnx/onnx.proto` (https://github.com/onnx/onnx).
 * Values are named by strings, as in ONNX itself; every method that adds a value returns its name.
 */
export class OnnxGraph {
  readonly #graph = new Message().string(2, 'graph')
  readonly #constants = new Set<string>()
  #nodes = 0

  input(name: string, type: ElementType, shape: readonly Dimension[]): string {
    this.#graph.message(11, valueInfo(name, type, shape))
    return name
  }

  output(name: string, type: ElementType, shape: readonly Dimension[]): void {
    this.#graph.message(12, valueInfo(name, type, shape))
  }

  /** Adds an initialiser; `data` holds its elements row by row in little-endian order. A name is written once. */
  constant(name: string, type: ElementType, shape: readonly number[], data: ArrayBufferView): string {
    if (this.#constants.has(name)) return name
    this.#constants.add(name)
    const tensor = new Message()
    for (const length of shape) tensor.integer(1, length)
    tensor.integer(2, DATA_TYPES[type]).string(8, name)
    tensor.bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    this.#graph.message(5, tensor)
    return name
  }

  /**
   * Adds an initialiser whose elements stay in a file: the runtime maps them into memory instead of copying them.
   * `file` is a name inside the folder that the session is told (`session.model_external_initializers_file_folder_path`).
   */
  constantInFile(name: string, type: ElementType, shape: readonly number[], place: FilePlace): string {
    const tensor = new Message()
    for (const length of shape) tensor.integer(1, length)
    tensor.integer(2, DATA_TYPES[type]).string(8, name)
    const entries = { location: place.file, offset: String(place.offset), length: String(place.length) }
    for (const [key, value] of Object.entries(entries)) {
      tensor.message(13, new Message().string(1, key).string(2, value))
    }
    tensor.integer(14, 1)
    this.#graph.message(5, tensor)
    return name
  }

  /** Adds a vector of int64: shapes, axes, bounds. */
  integers(...values: number[]): string {
    return this.constant(`i64:${values.join(',')}`, 'int64', [values.length], BigInt64Array.from(values, BigInt))
  }

  /** Adds a float32 scalar. */
  scalar(value: number): string {
    return this.constant(`f32:${value}`, 'float32', [], Float32Array.of(value))
  }

  /** Adds a node with one output and returns the output's name. */
  node(operator: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>> = {}): string {
    const [output = ''] = this.nodeWithOutputs(operator, inputs, 1, attributes)
    return output
  }

  /** Adds a node with several outputs and returns their names in order. */
  nodeWithOutputs(
    operator: string,
    inputs: readonly string[],
    outputCount: number,
    attributes: Readonly<Record<string, Attribute>> = {},
  ): string[] {
    const name = `${operator}_${this.#nodes++}`
    const outputs = Array.from({ length: outputCount }, (_, index) => `${name}:${index}`)
    this.#append(operator, name, inputs, outputs, attributes)
    return outputs
  }

  /** Gives a value a second name, so that it can be declared as an output. */
  alias(value: string, name: string): string {
    this.#append('Identity', `${name}_identity`, [value], [name], {})
    return name
  }

  /** Returns the finished model. */
  toBytes(): Uint8Array {
    const operatorSet = new Message().string(1, '').integer(2, 20)
    return new Message().integer(1, 9).message(7, this.#graph).message(8, operatorSet).toBytes()
  }

  #append(
    operator: string,
    name: string,
    inputs: readonly string[],
    outputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>>,
  ): void {
    const node = new Message()
    for (const input of inputs) node.string(1, input)
    for (const output of outputs) node.string(2, output)
    node.string(3, name).string(4, operator)
    for (const [key, value] of Object.entries(attributes)) node.message(5, attributeMessage(key, value))
    this.#graph.message(1, node)
  }
}

/** Writes a `ValueInfoProto`: a name with a tensor type. */
function valueInfo(name: string, type: ElementType, shape: readonly Dimension[]): Message {
  const dimensions = new Message()
  for (const dimension of shape) {
    const message = new Message()
    if (typeof dimension === 'number') message.integer(1, dimension)
    else message.string(2, dimension)
    dimensions.message(1, message)
  }
  const tensor = new Message().integer(1, DATA_TYPES[type]).message(2, dimensions)
  return new Message().string(1, name).message(2, new Message().message(1, tensor))
}

/** Writes an `AttributeProto`; field 20 is the kind: 1 float, 2 integer, 7 integers. */
function attributeMessage(name: string, value: Attribute): Message {
  const message = new Message().string(1, name)
  if (typeof value === 'number') return message.integer(3, value).integer(20, 2)
  if ('float' in value) return message.float(2, value.float).integer(20, 1)
  for (const item of value) message.integer(8, item)
  return message.integer(20, 7)
}

/** A protobuf message under construction. It keeps references to large byte arrays and joins them only at the end. */
class Message {
  readonly #parts: Uint8Array[] = []
  #length = 0

  integer(field: number, value: number): this {
    this.#push(varint(field << 3))
    return this.#push(varint(value))
  }

  float(field: number, value: number): this {
    this.#push(varint((field << 3) | 5))
    return this.#push(new Uint8Array(Float32Array.of(value).buffer))
  }

  string(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value))
  }

  bytes(field: number, value: Uint8Array): this {
    this.#push(varint((field << 3) | 2))
    this.#push(varint(value.length))
    return this.#push(value)
  }

  message(field: number, value: Message): this {
    this.#push(varint((field << 3) | 2))
    this.#push(varint(value.#length))
    for (const part of value.#parts) this.#push(part)
    return this
  }

  toBytes(): Uint8Array {
    const bytes = new Uint8Array(this.#length)
    let offset = 0
    for (const part of this.#parts) {
      bytes.set(part, offset)
      offset += part.length
    }
    return bytes
  }

  #push(part: Uint8Array): this {
    this.#parts.push(part)
    this.#length += part.length
    return this
  }
}

/** Writes protobuf's variable-length integer; a negative one is its 64-bit two's complement. */
function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  do {
    const low = Number(rest & 127n)
    rest >>= 7n
    bytes.push(rest > 0n ? low | 128 : low)
  } while (rest > 0n)
  return Uint8Array.from(bytes)
}
