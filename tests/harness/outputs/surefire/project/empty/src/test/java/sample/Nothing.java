package sample;

class Nothing {}
