import argparse

from wordcount import count

parser = argparse.ArgumentParser(prog="wordcount")
parser.add_argument("file")
parser.add_argument("--top", type=int, default=10)
options = parser.parse_args()

with open(options.file, encoding="utf-8") as text:
    for word, times in count(text.read())[: options.top]:
        print(times, word)
