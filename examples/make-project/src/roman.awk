BEGIN {
  count = split("1000 900 500 400 100 90 50 40 10 9 5 4 1", value, " ")
  split("M CM D CD C XC L XL X IX V IV I", sign, " ")
  for (i = 1; i <= count; i++) while (n >= value[i]) { text = text sign[i]; n -= value[i] }
  print text
}
