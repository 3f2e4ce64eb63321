/** Where files lie between their upload and their reading, so that every process can reach them. */
export interface FileStore {
  /**
   * Keeps a file as it arrives, in pieces, each stored before the next is asked for. What a failed upload left is removed by
   * `remove`, or by its age.
   * @returns its size in bytes
   */
  write(workspaceId: string, fileId: string, bytes: AsyncIterable<Uint8Array>): Promise<number>
  /** The whole file. @throws FileMissingError when it was removed, or was never stored whole */
  read(workspaceId: string, fileId: string, size: number): Promise<Uint8Array>
  remove(workspaceId: string, fileId: string): Promise<void>
}

export class FileMissingError extends Error {
  override readonly name = 'FileMissingError'
}
