#!/bin/sh
# A recognizer that stays, in sh: is given WAV files and says how many tenths of a second each has. docs/protocol.md has the protocol.
value() { printf '%s' "$line" | sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }

while IFS= read -r line; do
  case "$(value say)" in
    hello) echo '{"say":"hello","protocol":1,"name":"tenths","version":"1","sampleRate":16000,"audio":"wav"}' ;;
    open) echo '{"say":"opened"}' ;;
    recognize)
      # One clip at a time, since it names no batch. 44 bytes are the head of the file, 3200 a tenth of a second.
      bytes=$(wc -c <"$(value wav)")
      echo "{\"say\":\"transcript\",\"id\":$(value id),\"text\":\"$(((bytes - 44) / 3200)) tenths\"}"
      ;;
    ping) echo "{\"say\":\"pong\",\"id\":$(value id)}" ;;
    close) exit 0 ;;
  esac
done
